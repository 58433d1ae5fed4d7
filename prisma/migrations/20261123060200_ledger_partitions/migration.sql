-- compatible: the same tables by the same names, in partitions; older versions write to those that there are.
-- Events, deliveries and attempts are partitioned by the time that their ids begin with: that of the event, in the id of
-- its deliveries too. So what belongs to an event is in partitions of one name, which go together, and foreign keys
-- between the three stand between partitions of one name. Nobody waits long for these locks: the migrator tries again.
SET LOCAL lock_timeout = '500ms';
LOCK TABLE "workspace", "webhook", "event", "delivery", "attempt" IN ACCESS EXCLUSIVE MODE;

DROP TRIGGER "delivery_made" ON "delivery";
DROP TRIGGER "delivery_changed" ON "delivery";

ALTER TABLE "event" RENAME TO "event_first";
ALTER TABLE "delivery" RENAME TO "delivery_first";
ALTER TABLE "attempt" RENAME TO "attempt_first";
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN
    SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid IN ('event_first'::regclass, 'delivery_first'::regclass, 'attempt_first'::regclass)
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', name, regexp_replace(name, '^(event|delivery|attempt)', '\1_first'));
  END LOOP;
END $$;

CREATE TABLE "event" (LIKE "event_first" INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE ("id");
CREATE TABLE "delivery" (LIKE "delivery_first" INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE ("id");
CREATE TABLE "attempt" (LIKE "attempt_first" INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE ("delivery_id");

ALTER TABLE "event" DROP CONSTRAINT "ledger_bound", ADD CONSTRAINT "event_pkey" PRIMARY KEY ("workspace_id", "id");
ALTER TABLE "delivery" DROP CONSTRAINT "ledger_bound", ADD CONSTRAINT "delivery_pkey" PRIMARY KEY ("workspace_id", "id");
ALTER TABLE "attempt" DROP CONSTRAINT "ledger_bound", ADD CONSTRAINT "attempt_pkey" PRIMARY KEY ("workspace_id", "delivery_id", "number");

CREATE INDEX "event_occurred_at_idx" ON "event"("occurred_at");
CREATE INDEX "event_workspace_id_request_id_sequence_idx" ON "event"("workspace_id", "request_id", "sequence") WHERE ("request_id" IS NOT NULL);
CREATE INDEX "delivery_workspace_id_created_at_id_idx" ON "delivery"("workspace_id", "created_at", "id");
CREATE INDEX "delivery_workspace_id_webhook_id_created_at_status_idx" ON "delivery"("workspace_id", "webhook_id", "created_at", "status");
CREATE INDEX "delivery_webhook_id_next_attempt_at_idx" ON "delivery"("webhook_id", "next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);
CREATE INDEX "delivery_line_idx" ON "delivery"("webhook_id", "order_key", "place") WHERE ("order_key" IS NOT NULL AND "status" IN ('pending', 'retrying'));
CREATE INDEX "delivery_line_turn_idx" ON "delivery"("webhook_id", "order_key") WHERE ("order_key" IS NOT NULL AND "next_attempt_at" IS NOT NULL);

ALTER TABLE "event" ADD CONSTRAINT "event_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TRIGGER "delivery_made" AFTER INSERT ON "delivery"
  REFERENCING NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION "note_made_deliveries"();
CREATE TRIGGER "delivery_changed" AFTER UPDATE ON "delivery"
  REFERENCING OLD TABLE AS before_so NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_deliveries"();

-- Whole before they are attached, so that attaching holds up nobody. What is unique in a partition is unique in all: a
-- number belongs to one event, and the id of a delivery is made of its event and its webhook.
-- The primary key is made last: of a table that was never analysed all indexes that begin with the workspace seem to find
-- one row, and the planner takes the youngest. Foreign keys would be looked up by another one, through all of a workspace.
CREATE FUNCTION "add_ledger_partition"("name" text, "bounds" text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  events text := 'event_' || name;
  deliveries text := 'delivery_' || name;
  attempts text := 'attempt_' || name;
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE event INCLUDING ALL, UNIQUE (workspace_id, sequence))', events);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I, ADD PRIMARY KEY (workspace_id, id)', events, events || '_pkey');
  EXECUTE format('CREATE TABLE %I (LIKE delivery INCLUDING ALL, UNIQUE (workspace_id, event_id, webhook_id),
    FOREIGN KEY (workspace_id, event_id) REFERENCES %I (workspace_id, id) ON DELETE CASCADE ON UPDATE CASCADE
  ) WITH (fillfactor = 80)', deliveries, events);
  EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I, ADD PRIMARY KEY (workspace_id, id)', deliveries, deliveries || '_pkey');
  EXECUTE format('CREATE TABLE %I (LIKE attempt INCLUDING ALL,
    FOREIGN KEY (workspace_id, delivery_id) REFERENCES %I (workspace_id, id) ON DELETE CASCADE ON UPDATE CASCADE
  )', attempts, deliveries);
  EXECUTE format('ALTER TABLE event ATTACH PARTITION %I %s', events, bounds);
  EXECUTE format('ALTER TABLE delivery ATTACH PARTITION %I %s', deliveries, bounds);
  EXECUTE format('ALTER TABLE attempt ATTACH PARTITION %I %s', attempts, bounds);
END $$;

-- What was never written to is made anew, as later ones are.
DO $$
DECLARE
  bound text := (SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''') FROM pg_constraint
    WHERE conrelid = 'event_first'::regclass AND conname = 'ledger_bound');
  bounds text := format('FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  name text;
BEGIN
  IF NOT EXISTS (SELECT FROM event_first) THEN
    DROP TABLE event_first, delivery_first, attempt_first;
    PERFORM add_ledger_partition('first', bounds);
    RETURN;
  END IF;
  FOREACH name IN ARRAY ARRAY['event', 'delivery', 'attempt'] LOOP
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', name, name || '_first', bounds);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT ledger_bound', name || '_first');
  END LOOP;
END $$;

-- For what is written at a time without a partition: nothing is ever refused.
SELECT add_ledger_partition('default', 'DEFAULT');
