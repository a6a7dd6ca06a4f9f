-- Types of the round-trip test that PostgreSQL does not have of itself.

CREATE TYPE gen.mood AS ENUM ('ok', 'so so', 'sad; "very"', 'back\slash', '한국어', 'İIıi', '{a,b}');
CREATE TYPE gen.textrange AS RANGE (subtype = text);
CREATE DOMAIN gen.positive AS int CHECK (VALUE > 0);
CREATE DOMAIN gen.digit AS gen.positive CHECK (VALUE < 10);
CREATE DOMAIN gen.euro AS numeric(12, 2);
CREATE DOMAIN gen.moment_in_time AS timestamptz;
CREATE DOMAIN gen.document_text AS jsonb;
CREATE TABLE gen."Odd ""name""" ();
CREATE TABLE gen.kinds ();
CREATE TYPE gen.pair AS (a int, b text, c text[]);
CREATE TYPE gen.thing AS (id int, "Name" text, price numeric(12,4), seen timestamptz, extra text);
CREATE DOMAIN gen.tags AS text[];
CREATE EXTENSION hstore SCHEMA gen;
CREATE EXTENSION citext SCHEMA gen;
CREATE EXTENSION ltree SCHEMA gen;
CREATE EXTENSION cube SCHEMA gen;
