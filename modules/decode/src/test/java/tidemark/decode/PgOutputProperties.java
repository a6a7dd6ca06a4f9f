package tidemark.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import tidemark.decode.PgOutputMessage.LogicalMessage;

/** Equal bytes stand for equal messages: see {@link PgOutputEncoder}. An endless loop fails from another thread. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class PgOutputProperties {
    private static final int MESSAGES = 5_000;
    private static final byte[] KINDS = {'B', 'C', 'R', 'Y', 'I', 'U', 'D', 'T', 'O', 'M'};

    private final RandomGenerator random = Seed.random("PgOutputProperties");
    private final RandomMessages messages = new RandomMessages(random);
    private final PgOutputDecoder decoder = new PgOutputDecoder();

    @Test
    void decodesWhatWasEncodedWhereverItIsInTheBuffer() {
        for (int round = 0; round < MESSAGES; round++) {
            byte[] encoded = PgOutputEncoder.encode(messages.next());
            int before = random.nextInt(30);
            byte[] buffer = new byte[before + encoded.length + random.nextInt(30)];
            random.nextBytes(buffer);
            System.arraycopy(encoded, 0, buffer, before, encoded.length);
            PgOutputMessage decoded = decoder.decode(buffer, before, encoded.length);
            assertThat(PgOutputEncoder.encode(decoded)).isEqualTo(encoded);
        }
    }

    /** Rows are compared by their bytes above; what has no row is also equal as a record. */
    @Test
    void decodesMessagesWithoutRowsToEqualRecords() {
        for (int round = 0; round < MESSAGES; round++) {
            PgOutputMessage message = messages.next();
            switch (message) {
                case PgOutputMessage.Insert _, PgOutputMessage.Update _, PgOutputMessage.Delete _ -> {}
                default -> {
                    byte[] encoded = PgOutputEncoder.encode(message);
                    assertThat(decoder.decode(encoded, 0, encoded.length)).isEqualTo(message);
                }
            }
        }
    }

    @Test
    void refusesEveryTruncationAndEveryTrailingByte() {
        for (int round = 0; round < MESSAGES / 10; round++) {
            byte[] encoded = PgOutputEncoder.encode(messages.next());
            for (int length = 0; length < encoded.length; length += 1 + encoded.length / 200) {
                int cut = length;
                assertThatExceptionOfType(MalformedMessage.class)
                        .isThrownBy(() -> decoder.decode(encoded, 0, cut))
                        .satisfies(refused -> assertThat(refused.offset()).isBetween(0, cut));
            }
            byte[] longer = Arrays.copyOf(encoded, encoded.length + 1);
            assertThatExceptionOfType(MalformedMessage.class)
                    .isThrownBy(() -> decoder.decode(longer, 0, longer.length))
                    .satisfies(refused -> assertThat(refused.offset()).isEqualTo(encoded.length));
        }
    }

    /** A flipped bit is another message, bit for bit, or none. */
    @Test
    void readsAFlippedBitOrRefusesIt() {
        for (int round = 0; round < MESSAGES; round++) {
            byte[] encoded = PgOutputEncoder.encode(messages.next());
            for (int flips = 0; flips < 30; flips++) {
                byte[] flipped = encoded.clone();
                flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
                readsExactlyOrRefuses(flipped);
            }
        }
    }

    @Test
    void readsNoiseOrRefusesIt() {
        for (int round = 0; round < 20 * MESSAGES; round++) {
            byte[] noise = new byte[1 + random.nextInt(60)];
            random.nextBytes(noise);
            // Zeros make small counts and lengths: noise that gets further in.
            for (int zeros = random.nextInt(noise.length); zeros > 0; zeros--) noise[random.nextInt(noise.length)] = 0;
            noise[0] = KINDS[random.nextInt(KINDS.length)];
            readsExactlyOrRefuses(noise);
        }
    }

    private void readsExactlyOrRefuses(byte[] bytes) {
        decode(bytes).ifPresent(message -> {
            byte[] encoded = PgOutputEncoder.encode(message);
            if (message instanceof LogicalMessage logical) {
                assertThat(encoded).hasSameSizeAs(bytes);
                Arrays.fill(bytes, bytes.length - logical.contentBytes(), bytes.length, (byte) 0);
            }
            assertThat(encoded).isEqualTo(bytes);
        });
    }

    private Optional<PgOutputMessage> decode(byte[] bytes) {
        try {
            return Optional.of(decoder.decode(bytes, 0, bytes.length));
        } catch (MalformedMessage refused) {
            assertThat(refused.offset()).isBetween(0, bytes.length);
            return Optional.empty();
        }
    }
}
