-- What the roles of a ladder may do in its database (PostgreSQL's documentation, chapters "Privileges" and "Row Security
-- Policies"). Running it again changes nothing. {owner} and {worker} are the roles; {schema} has the tables.
--
-- A run is identified by a random key, which its program sets in each of its sessions as `crownhead.key`. So all workers
-- may share a role, and none can act for another's run. No statement has the key in its text.

ALTER TABLE run ADD COLUMN IF NOT EXISTS key text;
ALTER TABLE run ALTER COLUMN key SET DEFAULT current_setting('crownhead.key', TRUE);
ALTER TABLE worker ADD COLUMN IF NOT EXISTS login name;
ALTER TABLE worker ALTER COLUMN login SET DEFAULT session_user;

CREATE OR REPLACE FUNCTION crownhead_own_runs() RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$
    SELECT id FROM run WHERE key = current_setting('crownhead.key', TRUE) AND key <> ''
$$;

-- Whether the rules below apply to the current user: not to the tables' owner, and not to a role of owners.
CREATE OR REPLACE FUNCTION crownhead_is_worker() RETURNS boolean
LANGUAGE sql STABLE SET search_path = {schema}, pg_temp AS $$
    SELECT row_security_active('pair'::regclass) AND NOT pg_has_role(current_user, {owner_name}, 'USAGE')
$$;

-- A worker may update a pair only to claim it, renew the lease, give it back or store it, for its own run.
CREATE OR REPLACE FUNCTION crownhead_expect_own_pair() RETURNS trigger
LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS $$
DECLARE
    was_own boolean := coalesce(OLD.run IN (SELECT crownhead_own_runs()), FALSE);
    was_held boolean := coalesce(OLD.leased_until > clock_timestamp(), FALSE);
    is_own boolean := coalesce(NEW.run IN (SELECT crownhead_own_runs()), FALSE);
    is_same boolean := NEW.fence = OLD.fence;
    is_allowed boolean;
BEGIN
    IF NOT crownhead_is_worker() THEN
        RETURN NEW;
    ELSIF was_own AND NOT was_held AND NEW.run = OLD.run AND is_same THEN
        -- The lease has ended since the statement looked. Nothing is stored or renewed, and this is not an attack.
        RETURN NULL;
    ELSIF NEW.stored IS NOT NULL THEN
        is_allowed := was_own AND was_held AND is_same AND NEW.run = OLD.run;
        NEW.stored := clock_timestamp();
    ELSIF NEW.void IS NOT NULL THEN
        is_allowed := FALSE;
    ELSIF NEW.run IS NULL THEN
        is_allowed := was_own AND is_same AND NEW.leased_until IS NULL;
    ELSE
        is_allowed := is_own AND NEW.leased_until <= clock_timestamp() + make_interval(secs => 60)
            AND CASE WHEN is_same THEN was_own AND was_held
                ELSE NOT was_held AND NEW.fence = OLD.fence + 1 END;
    END IF;
    IF is_allowed IS NOT TRUE THEN
        RAISE EXCEPTION 'pair % is not this run''s to change so', OLD.id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER crownhead_own_pair BEFORE UPDATE ON pair
FOR EACH ROW EXECUTE FUNCTION crownhead_expect_own_pair();

-- The bots of a new pair must be known versions of different bots, ordered by name, as many as in other pairs.
CREATE OR REPLACE FUNCTION crownhead_expect_bots() RETURNS trigger
LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS $$
DECLARE
    known jsonb := (SELECT jsonb_agg(jsonb_build_array(bot, version) ORDER BY bot, version) FROM version
        WHERE jsonb_build_array(bot, version) IN (SELECT jsonb_array_elements(NEW.bots::jsonb)));
    names bigint := (SELECT count(DISTINCT entrant ->> 0) FROM jsonb_array_elements(known) AS entrant);
    others bigint := (SELECT jsonb_array_length(bots::jsonb) FROM pair ORDER BY id LIMIT 1);
BEGIN
    IF crownhead_is_worker() AND (
        NEW.bots::jsonb = known AND names BETWEEN 2 AND 8 AND names = jsonb_array_length(known)
        AND names = coalesce(others, names)
    ) IS NOT TRUE THEN
        RAISE EXCEPTION 'these are no bots of the ladder' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER crownhead_bots BEFORE INSERT ON pair
FOR EACH ROW EXECUTE FUNCTION crownhead_expect_bots();

-- A pair without its games would be unreadable.
CREATE OR REPLACE FUNCTION crownhead_expect_games() RETURNS trigger
LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS $$
BEGIN
    IF crownhead_is_worker()
        AND (SELECT count(*) FROM game WHERE pair = NEW.id) <> json_array_length(NEW.bots::json) THEN
        RAISE EXCEPTION 'pair % is stored without its games', NEW.id USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS crownhead_games ON pair;
CREATE CONSTRAINT TRIGGER crownhead_games AFTER UPDATE ON pair DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (NEW.stored IS NOT NULL AND NEW.void IS NULL) EXECUTE FUNCTION crownhead_expect_games();

-- A game's summary must be readable: it has these keys, each once, with values of these types, for the bots of its pair.
CREATE OR REPLACE FUNCTION crownhead_expect_game() RETURNS trigger
LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS $$
DECLARE
    bots jsonb := (SELECT pair.bots FROM pair WHERE id = NEW.pair);
    game record;
BEGIN
    IF NOT crownhead_is_worker() THEN
        RETURN NEW;
    END IF;
    SELECT * INTO game FROM json_to_record(NEW.summary::json) AS told
        (players text[], points float8[], termination text, faults text[], times_us bigint[], turns bigint, opening text);
    IF (
        json_typeof(NEW.record::json) = 'object'
        AND NEW.summary::jsonb = jsonb_strip_nulls(to_jsonb(game))
        AND (SELECT count(*) FROM json_object_keys(NEW.summary::json))
            = (SELECT count(*) FROM jsonb_object_keys(NEW.summary::jsonb))
        AND (SELECT array_agg(player ORDER BY player) FROM unnest(game.players) AS player)
            = (SELECT array_agg(entrant ->> 0 ORDER BY entrant ->> 0) FROM jsonb_array_elements(bots) AS entrant)
        AND cardinality(game.points) = cardinality(game.players) AND 0 <= ALL (game.points) AND 1 >= ALL (game.points)
        AND cardinality(game.times_us) = cardinality(game.players) AND 0 <= ALL (game.times_us)
        AND game.termination IN ({terminations}) AND game.turns BETWEEN 0 AND 4294967295 AND game.opening IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM unnest(game.faults) AS fault WHERE fault NOT IN ({terminations}))
    ) IS NOT TRUE THEN
        RAISE EXCEPTION 'this is no game of pair %', NEW.pair USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER crownhead_game BEFORE INSERT ON game
FOR EACH ROW EXECUTE FUNCTION crownhead_expect_game();

-- A worker's report about itself must be readable, and the server sets its time.
CREATE OR REPLACE FUNCTION crownhead_expect_worker() RETURNS trigger
LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS $$
BEGIN
    IF NOT crownhead_is_worker() THEN
        RETURN NEW;
    END IF;
    IF (NEW.cores BETWEEN 1 AND 100000 AND NEW.concurrency BETWEEN 1 AND 100000
        AND NEW.speed BETWEEN 0 AND 1e12
        AND length(NEW.name) < 256 AND coalesce(length(NEW.doing) < 65536, TRUE)) IS NOT TRUE
    THEN
        RAISE EXCEPTION 'worker % says of itself what cannot be', NEW.name USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.seen := clock_timestamp();
    NEW.joined := least(NEW.joined, NEW.seen);
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER crownhead_worker BEFORE INSERT OR UPDATE ON worker
FOR EACH ROW EXECUTE FUNCTION crownhead_expect_worker();

-- Readers number the stored pairs, in only one way, one reader at a time.
CREATE OR REPLACE FUNCTION crownhead_number_stored() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = {schema}, pg_temp AS $$
    SELECT pg_advisory_xact_lock({order_lock});
    {number_stored}
$$;

REVOKE ALL ON run, pair, game, void_game, disabled, enabled, version, crownhead, publication, file, worker
    FROM PUBLIC, {worker}, {owner};
REVOKE ALL ON FUNCTION crownhead_own_runs(), crownhead_is_worker(), crownhead_number_stored() FROM PUBLIC;
REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {worker};
REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC;
GRANT CONNECT ON DATABASE {database} TO {owner}, {worker};
GRANT USAGE ON SCHEMA {schema} TO {owner}, {worker};
GRANT EXECUTE ON FUNCTION crownhead_own_runs(), crownhead_is_worker(), crownhead_number_stored() TO {owner}, {worker};

GRANT SELECT, INSERT, UPDATE, DELETE ON run, pair, game, void_game, disabled, enabled, version, crownhead, publication, file,
    worker TO {owner};

GRANT SELECT ON pair, game, disabled, enabled, version, crownhead, publication, file, worker TO {worker};
GRANT SELECT (id, began, worker), INSERT (began), UPDATE (worker) ON run TO {worker};
GRANT INSERT (bots, round),
    UPDATE (run, fence, leased_until, stored, void) ON pair TO {worker};
GRANT INSERT ON game TO {worker};
GRANT INSERT (record) ON void_game TO {worker};
GRANT UPDATE (reference_speed) ON crownhead TO {worker};
GRANT INSERT (name, run, cores, concurrency, speed, doing),
    UPDATE (run, cores, concurrency, speed, doing, joined, seen) ON worker TO {worker};

-- Rows: whoever may read the table reads all; owners change any, workers only their own.
ALTER TABLE run ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS crownhead_read ON run;
CREATE POLICY crownhead_read ON run FOR SELECT USING (TRUE);
DROP POLICY IF EXISTS crownhead_owner ON run;
CREATE POLICY crownhead_owner ON run TO {owner} USING (TRUE) WITH CHECK (TRUE);
DROP POLICY IF EXISTS crownhead_worker_insert ON run;
CREATE POLICY crownhead_worker_insert ON run FOR INSERT TO {worker} WITH CHECK (worker IS NULL);
DROP POLICY IF EXISTS crownhead_worker_update ON run;
CREATE POLICY crownhead_worker_update ON run FOR UPDATE TO {worker}
    USING (id IN (SELECT crownhead_own_runs()) AND worker IS NULL)
    WITH CHECK (worker IN (SELECT name FROM worker WHERE worker.run = run.id));
ALTER TABLE pair ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS crownhead_read ON pair;
CREATE POLICY crownhead_read ON pair FOR SELECT USING (TRUE);
DROP POLICY IF EXISTS crownhead_owner ON pair;
CREATE POLICY crownhead_owner ON pair TO {owner} USING (TRUE) WITH CHECK (TRUE);
DROP POLICY IF EXISTS crownhead_worker_insert ON pair;
CREATE POLICY crownhead_worker_insert ON pair FOR INSERT TO {worker} WITH CHECK (TRUE);
DROP POLICY IF EXISTS crownhead_worker_update ON pair;
CREATE POLICY crownhead_worker_update ON pair FOR UPDATE TO {worker} USING (stored IS NULL) WITH CHECK (TRUE);
ALTER TABLE game ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS crownhead_read ON game;
CREATE POLICY crownhead_read ON game FOR SELECT USING (TRUE);
DROP POLICY IF EXISTS crownhead_owner ON game;
CREATE POLICY crownhead_owner ON game TO {owner} USING (TRUE) WITH CHECK (TRUE);
DROP POLICY IF EXISTS crownhead_worker_insert ON game;
CREATE POLICY crownhead_worker_insert ON game FOR INSERT TO {worker} WITH CHECK (EXISTS (
    SELECT 1 FROM pair WHERE pair.id = game.pair AND pair.run IN (SELECT crownhead_own_runs())
        AND pair.stored IS NOT NULL AND pair.void IS NULL));
ALTER TABLE crownhead ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS crownhead_read ON crownhead;
CREATE POLICY crownhead_read ON crownhead FOR SELECT USING (TRUE);
DROP POLICY IF EXISTS crownhead_owner ON crownhead;
CREATE POLICY crownhead_owner ON crownhead TO {owner} USING (TRUE) WITH CHECK (TRUE);
DROP POLICY IF EXISTS crownhead_worker_update ON crownhead;
CREATE POLICY crownhead_worker_update ON crownhead FOR UPDATE TO {worker} USING (reference_speed IS NULL)
    WITH CHECK (reference_speed BETWEEN 1 AND 1e12);
ALTER TABLE worker ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS crownhead_read ON worker;
CREATE POLICY crownhead_read ON worker FOR SELECT USING (TRUE);
DROP POLICY IF EXISTS crownhead_owner ON worker;
CREATE POLICY crownhead_owner ON worker TO {owner} USING (TRUE) WITH CHECK (TRUE);
DROP POLICY IF EXISTS crownhead_worker_insert ON worker;
CREATE POLICY crownhead_worker_insert ON worker FOR INSERT TO {worker} WITH CHECK (run IN (SELECT crownhead_own_runs()));
DROP POLICY IF EXISTS crownhead_worker_update ON worker;
CREATE POLICY crownhead_worker_update ON worker FOR UPDATE TO {worker} USING (login IS NULL OR login = session_user)
    WITH CHECK (run IN (SELECT crownhead_own_runs()));
