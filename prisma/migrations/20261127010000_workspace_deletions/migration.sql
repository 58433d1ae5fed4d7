-- compatible: two tables that older versions leave alone. They know no legal hold: the audit log is kept by its trigger, the rest as before.
-- CreateTable
CREATE TABLE "workspace_deletion" (
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "request_id" TEXT NOT NULL,
    "remove_after" TIMESTAMPTZ(3) NOT NULL,
    "was_suspended" BOOLEAN NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),
    "removed" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "workspace_deletion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "legal_hold" (
    "workspace_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,

    CONSTRAINT "legal_hold_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateIndex
CREATE INDEX "workspace_deletion_remove_after_idx" ON "workspace_deletion"("remove_after") WHERE ("removed_at" IS NULL);

-- CreateIndex
CREATE INDEX "workspace_deletion_created_at_id_idx" ON "workspace_deletion"("created_at", "id");

-- AddForeignKey
ALTER TABLE "legal_hold" ADD CONSTRAINT "legal_hold_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Audit entries go when their year is over, or with their workspace, whose removal has begun and is on record. While there
-- is a legal hold, none goes.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE'
    AND NOT EXISTS (SELECT FROM legal_hold h WHERE h.workspace_id = OLD.workspace_id)
    AND (OLD.at < now() - interval '1 year' OR EXISTS (
      SELECT FROM workspace_deletion d WHERE d.id = OLD.workspace_id AND d.started_at IS NOT NULL AND d.removed_at IS NULL
    )) THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'Audit entries are append-only' USING ERRCODE = '23514';
END $$;

-- A removal begins after the time to take it back, and not while there is a hold. Once begun it stays on record, and once
-- done the record is a certificate, which nothing changes.
CREATE FUNCTION keep_certificate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.removed_at IS NOT NULL OR (TG_OP = 'DELETE' AND OLD.started_at IS NOT NULL) THEN
    RAISE EXCEPTION 'A certificate of deletion stays as it is' USING ERRCODE = '23514';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  IF OLD.started_at IS NULL AND NEW.started_at IS NOT NULL
    AND (OLD.remove_after > now() OR EXISTS (SELECT FROM legal_hold h WHERE h.workspace_id = OLD.id)) THEN
    RAISE EXCEPTION 'The removal of a workspace may not begin yet' USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER workspace_deletion_kept BEFORE UPDATE OR DELETE ON workspace_deletion
  FOR EACH ROW EXECUTE FUNCTION keep_certificate();
