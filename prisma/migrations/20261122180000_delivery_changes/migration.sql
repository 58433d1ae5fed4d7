-- compatible: two tables that older versions leave alone, and triggers that write nothing unless somebody follows deliveries.
-- CreateTable
CREATE TABLE "delivery_watch" (
    "workspace_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_watch_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "delivery_change" (
    "workspace_id" UUID NOT NULL,
    "transaction" BIGINT NOT NULL,
    "delivery_id" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_change_pkey" PRIMARY KEY ("workspace_id","transaction","delivery_id")
);

-- CreateIndex
CREATE INDEX "delivery_change_changed_at_idx" ON "delivery_change"("changed_at");

-- Whoever writes deliveries, and however: what changes in a workspace that is watched is written down.
CREATE FUNCTION "note_made_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM delivery_watch WHERE until > clock_timestamp()) THEN
    INSERT INTO delivery_change (workspace_id, transaction, delivery_id, changed_at)
    SELECT n.workspace_id, pg_current_xact_id()::text::bigint, n.id, clock_timestamp()
    FROM now_so n JOIN delivery_watch w ON w.workspace_id = n.workspace_id AND w.until > clock_timestamp()
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

-- Leases come and go without that anything which is shown changes.
CREATE FUNCTION "note_changed_deliveries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM delivery_watch WHERE until > clock_timestamp()) THEN
    INSERT INTO delivery_change (workspace_id, transaction, delivery_id, changed_at)
    SELECT n.workspace_id, pg_current_xact_id()::text::bigint, n.id, clock_timestamp()
    FROM now_so n
    JOIN delivery_watch w ON w.workspace_id = n.workspace_id AND w.until > clock_timestamp()
    JOIN before_so b ON b.workspace_id = n.workspace_id AND b.id = n.id
    WHERE (n.status, n.origin, n.attempt_count, n.tries, n.next_attempt_at)
      IS DISTINCT FROM (b.status, b.origin, b.attempt_count, b.tries, b.next_attempt_at)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "delivery_made" AFTER INSERT ON "delivery"
  REFERENCING NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION "note_made_deliveries"();
CREATE TRIGGER "delivery_changed" AFTER UPDATE ON "delivery"
  REFERENCING OLD TABLE AS before_so NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION "note_changed_deliveries"();
