-- compatible: older versions neither read nor write the new tables and columns; triggers keep the counts right.
-- AlterTable
ALTER TABLE "event_sequence" ADD COLUMN     "file_bytes" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "hold_files" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "file" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "detected_type" TEXT,
    "sha256" TEXT,
    "status" TEXT NOT NULL,
    "uploaded_at" TIMESTAMPTZ(3),
    "quarantine_reason" TEXT,
    "blob_id" UUID,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "purged_at" TIMESTAMPTZ(3),

    CONSTRAINT "file_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "file_blob" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "removable_at" TIMESTAMPTZ(3),

    CONSTRAINT "file_blob_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "task_file" (
    "workspace_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "task_file_pkey" PRIMARY KEY ("workspace_id","task_id","file_id")
);

-- CreateTable
CREATE TABLE "document_file" (
    "workspace_id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "document_file_pkey" PRIMARY KEY ("workspace_id","document_id","file_id")
);

-- CreateTable
CREATE TABLE "crm_entity_file" (
    "workspace_id" UUID NOT NULL,
    "crm_entity_id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "crm_entity_file_pkey" PRIMARY KEY ("workspace_id","crm_entity_id","file_id")
);

-- CreateTable
CREATE TABLE "comment_file" (
    "workspace_id" UUID NOT NULL,
    "comment_id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "comment_file_pkey" PRIMARY KEY ("workspace_id","comment_id","file_id")
);

-- CreateIndex
CREATE INDEX "file_workspace_id_created_at_id_idx" ON "file"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "file_unfinished_idx" ON "file"("created_at") WHERE (status = 'awaiting_upload');

-- CreateIndex
CREATE INDEX "file_deleted_at_idx" ON "file"("deleted_at") WHERE ("deleted_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "file_blob_removable_at_idx" ON "file_blob"("removable_at") WHERE ("removable_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "task_file_workspace_id_file_id_task_id_idx" ON "task_file"("workspace_id", "file_id", "task_id");

-- CreateIndex
CREATE INDEX "document_file_workspace_id_file_id_document_id_idx" ON "document_file"("workspace_id", "file_id", "document_id");

-- CreateIndex
CREATE INDEX "crm_entity_file_workspace_id_file_id_crm_entity_id_idx" ON "crm_entity_file"("workspace_id", "file_id", "crm_entity_id");

-- CreateIndex
CREATE INDEX "comment_file_workspace_id_file_id_comment_id_idx" ON "comment_file"("workspace_id", "file_id", "comment_id");

-- AddForeignKey
ALTER TABLE "file" ADD CONSTRAINT "file_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_file" ADD CONSTRAINT "task_file_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_file" ADD CONSTRAINT "task_file_file_ids_fkey" FOREIGN KEY ("workspace_id", "file_id") REFERENCES "file"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_file" ADD CONSTRAINT "document_file_workspace_id_document_id_fkey" FOREIGN KEY ("workspace_id", "document_id") REFERENCES "document"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_file" ADD CONSTRAINT "document_file_file_ids_fkey" FOREIGN KEY ("workspace_id", "file_id") REFERENCES "file"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_entity_file" ADD CONSTRAINT "crm_entity_file_workspace_id_crm_entity_id_fkey" FOREIGN KEY ("workspace_id", "crm_entity_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_entity_file" ADD CONSTRAINT "crm_entity_file_file_ids_fkey" FOREIGN KEY ("workspace_id", "file_id") REFERENCES "file"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_file" ADD CONSTRAINT "comment_file_workspace_id_comment_id_fkey" FOREIGN KEY ("workspace_id", "comment_id") REFERENCES "comment"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment_file" ADD CONSTRAINT "comment_file_file_ids_fkey" FOREIGN KEY ("workspace_id", "file_id") REFERENCES "file"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "file" ADD CONSTRAINT "file_status_check" CHECK (status IN ('awaiting_upload', 'held', 'available', 'quarantined'));

-- Files are objects of the workspace, and take from its quota of bytes from when they are announced.
CREATE TRIGGER file_added AFTER INSERT ON file REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();
CREATE TRIGGER file_removed AFTER DELETE ON file REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_objects();

CREATE FUNCTION count_file_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_sequence
  SET file_bytes = file_bytes
    + CASE WHEN TG_OP = 'DELETE' THEN 0 ELSE NEW.bytes END
    - CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE OLD.bytes END
  WHERE workspace_id = CASE WHEN TG_OP = 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END;
  RETURN NULL;
END $$;
CREATE TRIGGER file_sized AFTER INSERT OR DELETE ON file FOR EACH ROW EXECUTE FUNCTION count_file_bytes();
CREATE TRIGGER file_resized AFTER UPDATE ON file FOR EACH ROW
  WHEN (OLD.bytes <> NEW.bytes) EXECUTE FUNCTION count_file_bytes();

-- Whoever deletes a file, its bytes are removed from the store afterwards.
CREATE FUNCTION give_up_blob() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE file_blob SET removable_at = now() WHERE workspace_id = OLD.workspace_id AND id = OLD.blob_id;
  RETURN NULL;
END $$;
CREATE TRIGGER file_deleted AFTER DELETE ON file FOR EACH ROW
  WHEN (OLD.blob_id IS NOT NULL) EXECUTE FUNCTION give_up_blob();
CREATE TRIGGER file_emptied AFTER UPDATE ON file FOR EACH ROW
  WHEN (OLD.blob_id IS NOT NULL AND NEW.blob_id IS DISTINCT FROM OLD.blob_id) EXECUTE FUNCTION give_up_blob();
