package tidemark.delivery;

import java.util.List;

/** The defects that the simulation must find, after delivery-rules.md and issue 6; the one place that lists them. */
final class Mutants {
    private static final String CORE = "DeliveryCore.java";

    private Mutants() {}

    private static Mutant mutant(String name, int within, Mutant.Edit... edits) {
        return new Mutant(name, within, List.of(edits));
    }

    private static Mutant.Edit edit(String file, String text, String replacement) {
        return new Mutant.Edit(file, text, replacement);
    }

    static final List<Mutant> ALL = List.of(
            mutant(
                    "confirm on accept",
                    20,
                    edit(
                            CORE,
                            "case COMPLETED -> completions.accepted(batch.id(), answered.tokens(), nanos);",
                            "case COMPLETED -> settled(batch.id());")),
            mutant(
                    "confirm the commit LSN",
                    20,
                    edit(
                            "ChangeReader.java",
                            "listener.on(new Event.Committed(commit.endLsn()));",
                            "listener.on(new Event.Committed(commit.commitLsn()));")),
            mutant(
                    "keepalive confirmed while something is undelivered",
                    50,
                    edit(CORE, "        if (!outbox.isEmpty()) return;\n", "")),
            mutant(
                    "forget the open-transaction guard",
                    50,
                    edit(CORE, "        if (outbox.isInsideTransaction()) return;", "")),
            mutant(
                    "ambiguous POST repeated",
                    100,
                    edit(
                            CORE,
                            "            end(FailurePolicy.ofReply(body.table(), reply));",
                            "if (reply instanceof IngressReply.Unknown) sending = new Sending.Ready(awaiting.batch(), awaiting.index(), awaiting.tokens(), nanos); else end(FailurePolicy.ofReply(body.table(), reply));")),
            mutant(
                    "mark after confirm",
                    20,
                    edit(
                            "Marks.java",
                            "Mark mark = ledger.confirmable();",
                            "Mark mark = ledger.confirmable(); if (!held) confirmed = mark.confirmable();")),
            mutant(
                    "keepalive confirmed without a mark",
                    50,
                    edit(
                            CORE,
                            "if (ledger.isIdle()) ledger.coveredUntil(lsn);",
                            "if (ledger.isIdle()) { ledger.coveredUntil(lsn); marks.confirmed = Lsn.later(marks.confirmed, lsn); }"),
                    edit("Marks.java", "private Lsn confirmed;", "Lsn confirmed;")),
            mutant(
                    "pipelined POSTs on one table",
                    20,
                    edit(CORE, "sending = new Sending.AwaitingReply(batch, index, tokens);", """
                            var awaiting = new Sending.AwaitingReply(batch, index, tokens);
                            pipelined.put(batch.id(), awaiting);
                            sending = index + 1 == batch.bodies().size() ? new Sending.Nothing() : awaiting;
                            """),
                    edit(CORE, """
                                    if (!(sending instanceof Sending.AwaitingReply awaiting)
                                            || awaiting.batch().id() != batchId) {
                                        throw new InvariantViolation("a reply for batch %d, whose POST is not under way".formatted(batchId));
                                    }
                            """, "Sending.AwaitingReply awaiting = pipelined.remove(batchId);\n"),
                    edit(
                            CORE,
                            "        sending = new Sending.Nothing();\n        batchesAccepted++;",
                            "batchesAccepted++;"),
                    edit(
                            CORE,
                            "    private Sending sending = new Sending.Nothing();",
                            "    private final Map<Long, Sending.AwaitingReply> pipelined = new HashMap<>();\n"
                                    + "    private Sending sending = new Sending.Nothing();")),
            mutant("no incarnation at session start", 50, edit("StartPlan.java", """
                                        return state.filter(known -> known.target().incarnation().equals(incarnation))
                                                .isPresent();
                            """, "return state.isPresent();\n")),
            mutant(
                    "no refusal of a slot ahead",
                    1000,
                    edit("StartPlan.java", "if (ahead && anythingKept(found)) {", "if (false) {")),
            mutant(
                    "slot not read again after START_REPLICATION",
                    2000,
                    edit(
                            "Session.java",
                            "return new SlotStatus.Usable(source.start(), usable.restart(), usable.activePid());",
                            "source.start(); return usable;")),
            mutant(
                    "ghost wait of a second",
                    2000,
                    edit(
                            "GhostWatch.java",
                            "quietNanos = requestLimit.plus(MARGIN).toNanos();",
                            "quietNanos = MARGIN.toNanos();")),
            mutant(
                    "no ghost wait after a crash",
                    1000,
                    edit("Session.java", "if (known.leftBehind(begun)) around.ghosts().inherited(around.now());", "")),
            mutant(
                    "counts at a session's start are ours",
                    500,
                    edit(
                            "Session.java",
                            "boolean accounted = around.counts().accountFor(life.incarnation(), table, counted);",
                            "boolean accounted = true;")),
            mutant(
                    "any surplus is a ghost of ours",
                    500,
                    edit(
                            "EndpointCounts.java",
                            "if (counted < known.taken || !(covered || known.atLeast)) return false;",
                            "")),
            mutant("a doubt is not durable", 500, edit("Session.java", "around.store().write(durable);", "")),
            mutant(
                    "incarnation of the reply unchecked",
                    500,
                    edit(CORE, "if (!mark.incarnation().equals(life)) {", "if (false) {")),
            mutant(
                    "no reply check",
                    500,
                    edit(CORE, "if (!mark.incarnation().equals(life)) {", "if (false) {"),
                    edit(CORE, "if (mark.count() != expected) {", "if (false) {")),
            mutant(
                    "no idle watch",
                    3000,
                    edit(
                            CORE,
                            "if (ledger.isIdle()) lifeWatch.waits(lsn);\n        else ledger.coveredUntil(lsn);",
                            "ledger.coveredUntil(lsn);"),
                    edit(
                            CORE,
                            "if ((ledger.isIdle() || lifeWatch.standsStill()) && lifeWatch.isAskDue(nanos))",
                            "if (false)")),
            mutant(
                    "reset backoff on connect",
                    1500,
                    edit(
                            "Session.java",
                            "            Looked looked;",
                            "            around.patience().progressed(); Looked looked;")),
            mutant(
                    "release bytes before acceptance",
                    50,
                    edit(
                            CORE,
                            "decisions.add(new Decision.Post(batch.id(), body.bytes().body(body.table())));",
                            "decisions.add(new Decision.Post(batch.id(), body.bytes().body(body.table()))); outbox.release(body.bytes());"),
                    edit(CORE, "        outbox.release(body.bytes());\n        answered", "        answered")),
            mutant(
                    "confirm past an unsettled batch or part",
                    50,
                    edit(
                            "Completions.java",
                            "        accepted.removeFirst();\n        return Optional.of(oldest.batchId());",
                            "        long last = accepted.getLast().batchId(); accepted.clear(); return Optional.of(last);"),
                    edit(
                            "AckLedger.java",
                            "        find(batchId).settled = true;",
                            "        for (Open open : inFlight) if (open.batchId <= batchId) open.settled = true;")),
            mutant(
                    "confirm past an unsettled table",
                    50,
                    edit("Completions.java", "        if (!oldest.tokens().isEmpty()) return Optional.empty();\n", "")),
            mutant(
                    "first copy skips by commit LSN",
                    100,
                    edit("ChangeReader.java", "return from.isAfter(commitLsn);", "return !commitLsn.isAfter(from);")),
            mutant(
                    "copied table streams from the wrong position",
                    100,
                    edit(
                            "Copying.java",
                            "StartPlan.How.StreamOnly() -> slotAt;",
                            "StartPlan.How.StreamOnly() -> snapshot.consistentPoint();")),
            mutant(
                    "a table is whole before its last batch is",
                    50,
                    edit(
                            "Copying.java",
                            "return last < outbox.openBatchId() && driver.core().isSettled(last);",
                            "return true;")),
            mutant(
                    "a table is whole before its last row is taken",
                    50,
                    edit("CopyReaders.java", ".filter(CopyProgress::isRead)", "")),
            mutant(
                    "a broken copy of a table without key is copied again",
                    500,
                    edit("Leftovers.java", "return DOUBLED;", "return REPLAYED;")),
            mutant(
                    "the last body of a part is left out",
                    20,
                    edit(
                            "CopyReaders.java",
                            "if (rows > 0) filled.add(",
                            "if (rows > 0 && !now.part().isOver()) filled.add(")),
            mutant(
                    "a copy is over while bodies wait",
                    500,
                    edit(
                            "CopyReaders.java",
                            "return parts.isEmpty() && filled.isEmpty() && readers",
                            "return parts.isEmpty() && readers")),
            mutant(
                    "a reader that failed is at its end",
                    500,
                    edit(
                            "CopiedPart.java",
                            "Optional<Tuple> row = copy.next();",
                            "Optional<Tuple> row; try { row = copy.next(); } catch (tidemark.replication.SourceFailure e) { row = Optional.empty(); }")),
            mutant(
                    "no proof of the slot before a POST",
                    3000,
                    edit("SlotTenure.java", "return !needsProof || (", "return true || (")),
            mutant(
                    "a large value left alone is sent as null",
                    20,
                    edit("RowEncoder.java", "            if (!column.isSent(after, before)) return false;\n", ""),
                    edit(
                            "ColumnWriter.java",
                            "case UNCHANGED_TOAST -> writeUnchanged(before, out);",
                            "case UNCHANGED_TOAST -> { if (isSent(row, before)) writeUnchanged(before, out); else out.put(NULL); }")),
            mutant(
                    "an update of a part of a row that may be missing",
                    300,
                    edit("RowEncoder.java", "if (stays && stand == Stand.COPIED) return;", "if (stays) return;")),
            mutant(
                    "keys that meet are sent row by row",
                    100,
                    edit(
                            "MeetingKeys.java",
                            "if (!meet && !nets.containsKey(plan.postgres())) return Optional.empty();",
                            "if (!nets.containsKey(plan.postgres())) return Optional.empty();")),
            mutant(
                    "a row that came and went is deleted",
                    500,
                    edit(
                            "NetChanges.java",
                            "if (!place.originalWent && place.sent == 0) return;",
                            "if (!place.originalWent && place.sent == 0) { due.add(place.delete); return; }")),
            mutant(
                    "a pause does not restart the ghost wait",
                    30_000,
                    edit("GhostWatch.java", "if (doubt) doubted(nanos);", "")),
            mutant(
                    "copied with the columns of before the wait",
                    20_000,
                    edit("Session.java", "if (!same) throw altered(\"table \" + plan.postgres());", ""),
                    edit("UnalteredSnapshot.java", "throw Session.altered(\"table \" + name);", "{}")),
            mutant(
                    "copied as empty what was written anew",
                    500,
                    edit("UnalteredSnapshot.java", "throw Session.altered(\"table \" + name);", "{}")),
            mutant(
                    "copied over what a moved slot cannot remove",
                    3000,
                    edit("StartPlan.java", "if (!(ahead && begun instanceof", "if (!(false && begun instanceof")),
            mutant(
                    "TRUNCATE asks Feldera before what precedes it is complete",
                    500,
                    edit("Truncation.java", "if (covered.isComplete()) state", "state")),
            mutant(
                    "TRUNCATE asks Feldera before what precedes it is sent",
                    50,
                    edit(
                            "Truncation.java",
                            "if (driver.hasSentAll()) state = new State.Covering",
                            "state = new State.Covering")),
            mutant(
                    "TRUNCATE lets later rows overtake its retractions",
                    50,
                    edit(
                            "Streaming.java",
                            "return !truncation.isUnderWay()\n                && !resync",
                            "return !resync"),
                    edit(
                            "Truncation.java",
                            "require(!isUnderWay(), \"a TRUNCATE was read inside another\");",
                            "if (isUnderWay()) { left.addAll(tables); return; }")),
            mutant(
                    "TRUNCATE believes an answer that ends early",
                    1000,
                    edit(
                            "CountedRows.java",
                            "byte[] json = answer.get().orElseThrow(() -> unsound(\"the answer ends before the number of its rows\"));",
                            "Optional<byte[]> object = answer.get(); if (object.isEmpty()) return false; byte[] json = object.get();")),
            mutant(
                    "TRUNCATE empties the first of its tables",
                    50,
                    edit("Truncation.java", "left.addAll(tables);", "left.add(tables.getFirst());")),
            mutant(
                    "keys that are netted outlive a TRUNCATE",
                    100,
                    edit("ChangeReader.java", "to.net().ifPresent(NetChanges::truncate);", "")),
            mutant(
                    "a table is read again and the position not held",
                    500,
                    edit(
                            "Marks.java",
                            "return Optional.of(held ? new Mark(confirmed, mark.covered(), mark.counts()) : mark);",
                            "return Optional.of(mark);")),
            mutant(
                    "a table that is read again is streamed, too",
                    500,
                    edit("Resync.java", "        relations.leaveOut(subject.name());\n", "")),
            mutant(
                    "the others go back without their positions",
                    500,
                    edit(
                            "Resync.java",
                            "settled.with(counted(of.stands())).counting(around.counts())",
                            "settled.with(settled.tables().stream().map(table -> table.postgres().equals(of.stands().postgres()) ? counted(of.stands()) : table.at(table.stand(), settled.confirmed(), table.count())).toList()).counting(around.counts())")),
            mutant(
                    "a table that was read again stands where the others do",
                    500,
                    edit(
                            "Resync.java",
                            "stands.at(ReplicationState.Stand.COPIED, merging.at(), stands.count())",
                            "stands.at(ReplicationState.Stand.COPIED, Lsn.later(merging.at(), received.get()), stands.count())")),
            mutant(
                    "a table is read again before what was sent to it is complete",
                    2000,
                    edit("Resync.java", "if (driver.core().batchesAccepted() >= batch)", "if (true)"),
                    edit("Resync.java", "if (covered.isComplete()) image(subject);", "image(subject);")),
            mutant(
                    "differences are sent before the table is on disk as changed",
                    500,
                    edit("Resync.java", "            if (!driver.core().isRestated()) return false;\n", "")),
            mutant(
                    "parts of a transaction are not covered when the stream goes back",
                    10_000,
                    edit("Resync.java", "if (received.get().isAfter(driver.core().completed())) {", "if (false) {")),
            mutant(
                    "what was sent is counted when a table was merged, not when all is settled",
                    6000,
                    edit("Resync.java", "counted(of.stands())).counting(around.counts()))", "counted(of.stands())))")),
            mutant(
                    "what is cancelled goes on",
                    500,
                    edit(
                            "Resync.java",
                            "around.resyncs().cancelled().or(this::tooLittleWal).ifPresent(this::leaveBecause);",
                            ""),
                    edit("Resyncs.java", "        if (cancelled().isPresent()) return false;\n", "")),
            mutant(
                    "a comparison asks Feldera before what precedes it is complete",
                    2000,
                    edit("Comparing.java", "if (complete) ask", "ask")),
            mutant(
                    "a comparison asks Feldera before what precedes it is sent",
                    2000,
                    edit("Comparing.java", "if (!driver.hasSentAll()) return;", "")),
            mutant(
                    "a comparison is read to beyond its position",
                    500,
                    edit("StreamHalt.java", "&& !at.isAfter(begin.commitLsn());", "&& at.equals(Lsn.ZERO);")),
            mutant(
                    "the stream goes on while a comparison takes its snapshot",
                    500,
                    edit(
                            "StreamHalt.java",
                            "state = insideTransaction ? new State.ToBoundary() : new State.Standing();",
                            "state = new State.Standing();"),
                    edit("StreamHalt.java", "if (stands()) return new Received.Nothing();", ""),
                    edit("Streaming.java", "(reader.owes() || !halt.stands())", "true"),
                    edit("Comparing.java", "if (received.get().isAfter(at)) {", "if (false) {")),
            mutant(
                    "a comparison believes another life",
                    1000,
                    edit("ComparedBeside.java", ".equals(life)) throw restarted();", ".equals(life)) {}")));
}
