-- compatible: a rule that nothing breaks which is written in the next four weeks.
-- What the ledger holds so far, and what is written to it until all processes know partitions, becomes its first
-- partition. Its upper bound is a rule first: proved in advance, it makes attaching a matter of milliseconds.
SET LOCAL lock_timeout = '500ms';

DO $$
DECLARE
  bound text := lpad(to_hex(extract(epoch FROM date_trunc('day', now(), 'UTC') + interval '28 days')::bigint * 1000), 12, '0')
    || '00000000000000000000';
BEGIN
  LOCK TABLE "event", "delivery", "attempt" IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('ALTER TABLE "event" ADD CONSTRAINT "ledger_bound" CHECK ("id" < %L::uuid) NOT VALID', bound::uuid);
  EXECUTE format('ALTER TABLE "delivery" ADD CONSTRAINT "ledger_bound" CHECK ("id" < %L::uuid) NOT VALID', bound::uuid);
  EXECUTE format('ALTER TABLE "attempt" ADD CONSTRAINT "ledger_bound" CHECK ("delivery_id" < %L::uuid) NOT VALID', bound::uuid);
END $$;
