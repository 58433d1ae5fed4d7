-- compatible: tasks that older versions make or move are given their identifier by the triggers.
-- AlterTable
ALTER TABLE "project" ADD COLUMN     "rekeyed_through" INTEGER;

-- AlterTable
ALTER TABLE "task" ADD COLUMN     "identifier" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "project_former_key" (
    "workspace_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "project_id" UUID NOT NULL,

    CONSTRAINT "project_former_key_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateTable
CREATE TABLE "task_former_number" (
    "workspace_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "task_id" UUID NOT NULL,

    CONSTRAINT "task_former_number_pkey" PRIMARY KEY ("workspace_id","project_id","number")
);

-- CreateIndex
CREATE INDEX "project_former_key_workspace_id_project_id_idx" ON "project_former_key"("workspace_id", "project_id");

-- CreateIndex
CREATE INDEX "task_former_number_workspace_id_task_id_idx" ON "task_former_number"("workspace_id", "task_id");

-- CreateIndex
CREATE INDEX "project_rekeying_idx" ON "project"("workspace_id", "id") WHERE ("rekeyed_through" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "project_former_key" ADD CONSTRAINT "project_former_key_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_former_number" ADD CONSTRAINT "task_former_number_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_former_number" ADD CONSTRAINT "task_former_number_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

UPDATE "task" t SET "identifier" = p."key" || '-' || t."number"
FROM "project" p WHERE p."workspace_id" = t."workspace_id" AND p."id" = t."project_id";

ALTER TABLE "project_former_key" ADD CONSTRAINT "project_former_key_key_check" CHECK ("key" ~ '^[A-Z]{2,10}$');

CREATE FUNCTION identify_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT p.key || '-' || NEW.number INTO NEW.identifier
  FROM project p WHERE p.workspace_id = NEW.workspace_id AND p.id = NEW.project_id;
  NEW.identifier := coalesce(NEW.identifier, '');
  RETURN NEW;
END $$;
CREATE TRIGGER task_identifier_of_new BEFORE INSERT ON task
  FOR EACH ROW WHEN (NEW.identifier = '') EXECUTE FUNCTION identify_task();
CREATE TRIGGER task_identifier_of_moved BEFORE UPDATE ON task
  FOR EACH ROW WHEN (NEW.project_id <> OLD.project_id AND NEW.identifier = OLD.identifier)
  EXECUTE FUNCTION identify_task();
