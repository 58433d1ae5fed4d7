-- compatible: older versions call the first function as before, and drop partitions themselves, as the owner.
-- Partitions come and go by functions that have the rights of their owner, so that the role of services and dispatchers
-- can own nothing. What is given to them is checked, since it becomes part of a statement.
DO $make$ BEGIN EXECUTE format($function$
CREATE OR REPLACE FUNCTION "add_ledger_partition"("name" text, "bounds" text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = %1$I, pg_temp AS $$
DECLARE
  events text := 'event_' || name;
  deliveries text := 'delivery_' || name;
  attempts text := 'attempt_' || name;
BEGIN
  IF name !~ '^[0-9a-z]{1,40}$'
    OR bounds !~ '^FOR VALUES FROM [(]''[0-9a-f-]{36}''[)] TO [(]''[0-9a-f-]{36}''[)]$' THEN
    RAISE EXCEPTION 'No partition of the ledger: %% %%', name, bounds USING ERRCODE = 'invalid_parameter_value';
  END IF;
  EXECUTE format('CREATE TABLE %%I (LIKE event INCLUDING ALL, UNIQUE (workspace_id, sequence))', events);
  EXECUTE format('ALTER TABLE %%I DROP CONSTRAINT %%I, ADD PRIMARY KEY (workspace_id, id)', events, events || '_pkey');
  EXECUTE format('CREATE TABLE %%I (LIKE delivery INCLUDING ALL, UNIQUE (workspace_id, event_id, webhook_id),
    FOREIGN KEY (workspace_id, event_id) REFERENCES %%I (workspace_id, id) ON DELETE CASCADE ON UPDATE CASCADE
  ) WITH (fillfactor = 80)', deliveries, events);
  EXECUTE format('ALTER TABLE %%I DROP CONSTRAINT %%I, ADD PRIMARY KEY (workspace_id, id)', deliveries, deliveries || '_pkey');
  EXECUTE format('CREATE TABLE %%I (LIKE attempt INCLUDING ALL,
    FOREIGN KEY (workspace_id, delivery_id) REFERENCES %%I (workspace_id, id) ON DELETE CASCADE ON UPDATE CASCADE
  )', attempts, deliveries);
  EXECUTE format('ALTER TABLE event ATTACH PARTITION %%I %%s', events, bounds);
  EXECUTE format('ALTER TABLE delivery ATTACH PARTITION %%I %%s', deliveries, bounds);
  EXECUTE format('ALTER TABLE attempt ATTACH PARTITION %%I %%s', attempts, bounds);
END $$
$function$, current_schema()); END $make$;

DO $make$ BEGIN EXECUTE format($function$
CREATE FUNCTION "drop_ledger_partition"("name" text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = %1$I, pg_temp AS $$
BEGIN
  IF name = 'default' OR NOT EXISTS (
    SELECT FROM pg_inherits WHERE inhparent = 'event'::regclass AND inhrelid = to_regclass(format('%%I', 'event_' || name))
  ) THEN
    RAISE EXCEPTION 'No partition of the ledger: %%', name USING ERRCODE = 'invalid_parameter_value';
  END IF;
  EXECUTE format('DROP TABLE %%I, %%I, %%I', 'attempt_' || name, 'delivery_' || name, 'event_' || name);
END $$
$function$, current_schema()); END $make$;

REVOKE EXECUTE ON FUNCTION "add_ledger_partition"(text, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION "drop_ledger_partition"(text) FROM PUBLIC;
