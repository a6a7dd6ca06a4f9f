package tidemark.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tidemark.sink.IngressReply;

/**
 * Does errands in virtual time: each takes effect at one moment and is over at a later one, and between the two, and
 * before them, anything may happen. A POST's bytes are read while it is under way, as a socket would.
 */
final class SimWorkers implements Workers {
    /** After which Feldera's API server answers 503 in the pipeline's stead (feldera.md, 1.6). */
    private static final long API_SERVER_LIMIT = 30 * SimTime.SECOND;

    /** A POST between the socket and its answer. */
    private final class Request {
        private final Ticket ticket;
        private final Errand.Post post;
        private boolean over;

        Request(Ticket ticket, Errand.Post post) {
            this.ticket = ticket;
            this.post = post;
        }

        void leaves() {
            long upload = world.mischief(0.1) ? world.between(0, 150 * SimTime.MILLI) : world.between(0, SimTime.MILLI);
            long travel = travel();
            world.time.in(upload, () -> uploaded(Math.max(0, travel - upload)));
            world.time.in(API_SERVER_LIMIT, () -> answered(new IngressReply.Unknown(SimPipeline.problem("post", 503))));
            if (world.mischief(0.02)) {
                long until = world.between(0, travel + 20 * SimTime.MILLI);
                world.time.in(until, () -> answered(new IngressReply.Unknown(SimPipeline.problem("post", 0))));
            }
        }

        /** Never past the API server's limit: what a running pipeline has not taken by then it does not take. */
        private long travel() {
            if (lateRequests > 0) {
                lateRequests--;
                return world.between(SimTime.SECOND, API_SERVER_LIMIT);
            }
            return world.mischief(0.02) ? world.between(SimTime.SECOND, API_SERVER_LIMIT) : world.shortly();
        }

        private void uploaded(long left) {
            List<SimBody.Operation> operations =
                    SimBody.read(post.body().bytes(), post.body().length());
            promises.posts(post.body().table(), operations.size());
            world.time.in(left, () -> pipeline(operations));
        }

        private void pipeline(List<SimBody.Operation> operations) {
            if (world.mischief(0.01)) {
                answered(new IngressReply.NotNow(SimPipeline.problem("post", 429)));
                return;
            }
            pipeline.arrived(post.body().table(), operations, reply -> {
                if (world.mischief(0.02)) answersLate(new IngressReply.Unknown(SimPipeline.problem("post", 0)));
                else answersLate(reply);
            });
        }

        private void answersLate(IngressReply reply) {
            world.time.in(world.shortly(), () -> answered(reply));
        }

        private void answered(IngressReply reply) {
            if (over) return;
            over = true;
            unanswered--;
            back(new Outcome(ticket, new Event.Answered(post.batchId(), reply)));
            world.passed(SimPoint.POST_ANSWERED);
        }
    }

    private final SimWorld world;
    private final SimPipeline pipeline;
    private final SimPromises promises;
    private final ArrayDeque<Outcome> outcomes = new ArrayDeque<>();
    private final List<Runnable> whenThawed = new ArrayList<>();
    private boolean dead;
    private boolean frozen;
    private int lateRequests;
    private int unanswered;

    SimWorkers(SimWorld world, SimPipeline pipeline, SimPromises promises) {
        this.world = world;
        this.pipeline = pipeline;
        this.promises = promises;
    }

    /** Nothing more comes back, and what has not left does not leave. */
    void die() {
        dead = true;
    }

    /** So many requests to come are long under way. */
    void delay(int requests) {
        lateRequests = requests;
    }

    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
        List<Runnable> then = List.copyOf(whenThawed);
        whenThawed.clear();
        then.forEach(Runnable::run);
    }

    private void back(Outcome outcome) {
        if (!dead) outcomes.add(outcome);
    }

    @Override
    public void begin(Ticket ticket) {
        switch (ticket.errand()) {
            case Errand.Post post -> {
                world.require(
                        unanswered == 0,
                        "a POST for %s leaves while one is unanswered",
                        post.body().table());
                unanswered++;
                new Request(ticket, post).leaves();
                world.passed(SimPoint.POST_LEAVES);
            }
            case Errand.Persist _ -> world.time.in(world.shortly(), () -> write(ticket));
            case Errand.AskCompletion _, Errand.AskLife _, Errand.AskTenure _, Errand.Question _ -> {
                long away = world.mischief(0.003) ? world.between(SimTime.SECOND, 9 * SimTime.SECOND) : world.shortly();
                world.time.in(away, () -> done(ticket));
            }
        }
    }

    private void write(Ticket ticket) {
        if (frozen) {
            whenThawed.add(() -> write(ticket));
            return;
        }
        world.passed(SimPoint.BEFORE_WRITE);
        if (dead) return;
        done(ticket);
        world.passed(SimPoint.AFTER_WRITE);
    }

    private void done(Ticket ticket) {
        if (dead) return;
        Event event = guarded(ticket);
        world.time.in(world.shortly(), () -> back(new Outcome(ticket, event)));
    }

    /** An errand makes an outcome of every Error, also of one that says that an invariant is broken. */
    private Event guarded(Ticket ticket) {
        Event event = world.inErrand(ticket.errand()::outcome);
        Consumer<Failure> look = why -> {
            if (why.what().contains(SimViolation.class.getName())) world.violated("%s", why.what());
        };
        if (event instanceof Event.QuestionFailed(Failure why)) look.accept(why);
        if (event instanceof Event.NotRecorded(Failure why)) look.accept(why);
        return event;
    }

    @Override
    public Optional<Outcome> take(Duration wait) {
        world.breathe();
        world.time.runUntil(world.time.now());
        if (!wait.isZero()) {
            long until = world.time.now() + Math.max(wait.toNanos(), world.grain);
            while (outcomes.isEmpty() && world.time.now() < until) world.waitFor(until - world.time.now());
        }
        world.breathe();
        return Optional.ofNullable(outcomes.poll());
    }

    @Override
    public void close() {
        die();
    }
}
