-- What the round-trip test's values are made of. Every function gives the same for the same number g, salt and
-- gen.seed(), in whatever order PostgreSQL asks: so a seed is the whole of a run.

CREATE FUNCTION gen.hash(g int, salt text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
    $$ SELECT hashtextextended(g || ' ' || salt, gen.seed()) $$;

-- [0, n)
CREATE FUNCTION gen.below(g int, salt text, n bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
    $$ SELECT (gen.hash(g, salt) & 9223372036854775807) % n $$;

CREATE FUNCTION gen.pick(g int, salt text, VARIADIC choices text[]) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT choices[1 + gen.below(g, salt, cardinality(choices))] $$;

-- A number whose value stands in another one: half of them those of NULL and the edges, 1 to known.
CREATE FUNCTION gen.other(g int, salt text, known int) RETURNS int LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE gen.below(g, salt || 'which', 2) WHEN 0 THEN 1 + gen.below(g, salt, known)
        ELSE 1000 + gen.below(g, salt, 1000000000) END::int $$;

-- Of any magnitude, and either sign.
CREATE FUNCTION gen.whole(g int, salt text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
    $$ SELECT gen.hash(g, salt) >> gen.below(g, salt || 'shift', 64)::int $$;

CREATE FUNCTION gen.digits(g int, salt text, n int) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT coalesce(string_agg(gen.below(g, salt || i, 10)::text, ''), '') FROM generate_series(1, n) i $$;

-- Up to so many digits before and after the point, in each place the zeros that numeric keeps.
CREATE FUNCTION gen.decimal(g int, salt text, before int, after int) RETURNS numeric LANGUAGE sql IMMUTABLE AS
    $$ SELECT (gen.pick(g, salt || 'sign', '', '-')
            || '0' || gen.digits(g, salt || 'before', gen.below(g, salt || 'b', before + 1)::int)
            || '.' || gen.digits(g, salt || 'after', gen.below(g, salt || 'a', after + 1)::int)
            || repeat('0', gen.below(g, salt || 'zeros', 3)::int))::numeric $$;

CREATE FUNCTION gen.double(g int, salt text, exponent int) RETURNS float8 LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE gen.below(g, salt || 'kind', 3)
        WHEN 0 THEN gen.whole(g, salt)::float8 / 1000
        ELSE (gen.pick(g, salt || 'sign', '', '-')
            || gen.below(g, salt || 'first', 10) || '.' || gen.digits(g, salt, 17)
            || 'e' || gen.below(g, salt || 'e', 2 * exponent + 1) - exponent)::float8
        END $$;

-- One code point: control, ASCII, what some text format quotes, and planes 0 to 16 without surrogates.
CREATE FUNCTION gen.letter(g int, salt text) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE gen.below(g, salt || 'kind', 7)
        WHEN 0 THEN chr(1 + gen.below(g, salt, 31)::int)
        WHEN 1 THEN substr(E'"\\{}()[],;:\'<>&=%_* \t\n\r/|', 1 + gen.below(g, salt, 25)::int, 1)
        WHEN 2 THEN chr(128 + gen.below(g, salt, 55296 - 128)::int)
        WHEN 3 THEN chr(57344 + gen.below(g, salt, 8192)::int)
        WHEN 4 THEN chr(65536 + gen.below(g, salt, 1048576)::int)
        ELSE chr(32 + gen.below(g, salt, 96)::int)
        END $$;

CREATE FUNCTION gen.chars(g int, salt text, most int) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT coalesce(string_agg(gen.letter(g, salt || i), '' ORDER BY i), '')
        FROM generate_series(1, gen.below(g, salt || 'length', most + 1)) i $$;

-- Every code point that JSON or PostgreSQL has something to say about, in one text.
CREATE FUNCTION gen.hard_text() RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT string_agg(chr(i), '' ORDER BY i) || chr(8232) || chr(8233) || chr(55295) || chr(57344) || chr(65279)
            || chr(65533) || chr(65535) || chr(65536) || chr(128512) || chr(1114111)
        FROM generate_series(1, 300) i $$;

CREATE FUNCTION gen.bytes(g int, salt text, n int) RETURNS bytea LANGUAGE sql IMMUTABLE AS
    $$ SELECT substring(string_agg(decode(md5(gen.hash(g, salt || i)::text), 'hex'), '' ORDER BY i) FROM 1 FOR n)
        FROM generate_series(0, n / 16) i $$;

CREATE FUNCTION gen.every_byte() RETURNS bytea LANGUAGE sql IMMUTABLE AS
    $$ SELECT string_agg(decode(lpad(to_hex(i), 2, '0'), 'hex'), '' ORDER BY i) FROM generate_series(0, 255) i $$;

-- Of nine in ten, years 1 to 9999; of the others, every year that PostgreSQL has.
CREATE FUNCTION gen.day(g int, salt text) RETURNS date LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE gen.below(g, salt || 'era', 10)
        WHEN 0 THEN '4713-01-01 BC'::date + gen.below(g, salt, 100000000)::int
        ELSE '0001-01-01'::date + gen.below(g, salt, 3652059)::int
        END $$;

-- Half of them in whole milliseconds.
CREATE FUNCTION gen.of_day(g int, salt text) RETURNS interval LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE gen.below(g, salt || 'unit', 2)
        WHEN 0 THEN gen.below(g, salt, 86400000) * interval '1 millisecond'
        ELSE gen.below(g, salt, 86400000000) * interval '1 microsecond'
        END $$;

CREATE FUNCTION gen.moment(g int, salt text) RETURNS timestamp LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE gen.below(g, salt || 'era', 10)
        WHEN 0 THEN '4713-01-01 BC'::timestamp + gen.below(g, salt || 'day', 109000000) * interval '1 day'
        ELSE '0001-01-01'::timestamp + gen.below(g, salt || 'day', 3652059) * interval '1 day'
        END + gen.of_day(g, salt) $$;

CREATE FUNCTION gen.document(g int, salt text, depth int) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
        RETURN CASE gen.below(g, salt || 'kind', CASE WHEN depth > 0 THEN 10 ELSE 6 END)
            WHEN 0 THEN 'null'::jsonb
            WHEN 1 THEN to_jsonb(gen.below(g, salt, 2) = 0)
            WHEN 2 THEN to_jsonb(gen.whole(g, salt))
            WHEN 3 THEN to_jsonb(gen.decimal(g, salt, 20, 15))
            WHEN 4 THEN to_jsonb(gen.chars(g, salt, 12))
            WHEN 5 THEN '""'
            WHEN 6 THEN (SELECT coalesce(jsonb_agg(gen.document(g, salt || i, depth - 1) ORDER BY i), '[]')
                FROM generate_series(1, gen.below(g, salt || 'length', 4)) i)
            ELSE (SELECT coalesce(jsonb_object_agg(gen.chars(g, salt || 'name' || i, 6),
                    gen.document(g, salt || i, depth - 1)), '{}')
                FROM generate_series(1, gen.below(g, salt || 'length', 4)) i)
            END;
    END $$;

-- How Feldera shows a fraction of six digits: with none, three or six of them.
CREATE FUNCTION gen.shown(micros text) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE WHEN micros LIKE '%.000000' THEN left(micros, -7) WHEN micros LIKE '%000' THEN left(micros, -3)
        ELSE micros END $$;

-- Whether a number goes into a VARIANT.
CREATE FUNCTION gen.counts(number text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE WHEN number IN ('NaN', 'Infinity', '-Infinity') THEN false ELSE abs(number::numeric) < 1e38 END $$;

CREATE FUNCTION gen.finite(number text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
    $$ SELECT number NOT IN ('NaN', 'Infinity', '-Infinity') $$;

-- Whether a document goes into a VARIANT: not JSON's null alone, no lone surrogate, no number of more than 38 digits
-- before its point, no more than 120 levels with those around it (the values here that are so deep are arrays in arrays).
CREATE FUNCTION gen.fits_variant(document text, levels int) RETURNS boolean LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE
        WHEN btrim(document, E' \t\r\n') = 'null' THEN false
        WHEN document LIKE '%' || repeat('[', 121 - levels) || '%' THEN false
        WHEN regexp_replace(replace(document, '\\', ''), '\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}', '', 'gi')
            ~* '\\ud[89a-f]' THEN false
        ELSE NOT jsonb_path_exists(replace(document, '\u0000', '')::jsonb,
            '$.** ? (@.type() == "number" && (@ >= 1e38 || @ <= -1e38))')
        END $$;
