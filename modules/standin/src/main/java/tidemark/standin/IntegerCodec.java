package tidemark.standin;

/** TINYINT to BIGINT: JSON integers in range; {@code 1.0} and strings are refused. */
record IntegerCodec(SqlType.Width width) implements ValueCodec {
    /** Digits that can never overflow a long. */
    private static final int SAFE_DIGITS = 18;

    @Override
    public void transcode(JsonCursor in, ByteWriter out) {
        long value = read(in, width.least, width.greatest, width.rust);
        if (value == 0) {
            out.put('0');
        } else {
            out.put(in.buffer(), in.rawStart(), in.rawEnd());
        }
    }

    static long read(JsonCursor in, long least, long greatest, String rust) {
        int next = in.peek();
        if (next != '-' && !JsonCursor.isDigit(next)) {
            throw ValueCodec.mismatch(in, rust);
        }
        int from = in.at();
        in.readNumber();
        if (!in.isInteger()) {
            in.moveTo(from, in.depth());
            throw ValueCodec.mismatch(in, rust);
        }
        if (in.rawEnd() - in.rawStart() > SAFE_DIGITS) {
            return readLong(in, least, greatest, rust);
        }
        long value = digits(in.buffer(), in.rawStart(), in.rawEnd());
        if (value < least || value > greatest) {
            throw outOfRange(in, rust);
        }
        return value;
    }

    private static long digits(byte[] text, int start, int end) {
        boolean negative = text[start] == '-';
        long value = 0;
        for (int i = negative ? start + 1 : start; i < end; i++) {
            value = value * 10 + (text[i] - '0');
        }
        return negative ? -value : value;
    }

    private static long readLong(JsonCursor in, long least, long greatest, String rust) {
        try {
            long value = Long.parseLong(in.number());
            if (value >= least && value <= greatest) {
                return value;
            }
        } catch (NumberFormatException _) {
            // More than a long holds is out of every range.
        }
        throw outOfRange(in, rust);
    }

    private static ValueRefused outOfRange(JsonCursor in, String rust) {
        return new ValueRefused("invalid value: integer `" + in.number() + "`, expected " + rust + in.position());
    }
}
