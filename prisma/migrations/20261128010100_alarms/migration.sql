-- compatible: tables and columns that older versions do not know.
-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "expiring_told_for" TIMESTAMPTZ(3),
ADD COLUMN     "stopping_told_for" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "key_denial" (
    "workspace_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,
    "told_at" TIMESTAMPTZ(3),

    CONSTRAINT "key_denial_pkey" PRIMARY KEY ("workspace_id","api_key_id")
);

-- CreateTable
CREATE TABLE "alarm" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "subject_name" TEXT NOT NULL,
    "occasion" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "count" INTEGER,
    "rule" TEXT,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "alarm_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "alarm_settings" (
    "workspace_id" UUID NOT NULL,
    "recipients" TEXT NOT NULL,
    "muted_kinds" TEXT[],

    CONSTRAINT "alarm_settings_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "alarm_preferences" (
    "workspace_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "muted_kinds" TEXT[],

    CONSTRAINT "alarm_preferences_pkey" PRIMARY KEY ("workspace_id","member_id")
);

-- CreateTable
CREATE TABLE "background_sweep" (
    "name" TEXT NOT NULL,
    "after_workspace" UUID NOT NULL,
    "after_id" UUID NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "background_sweep_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "key_denial_since_idx" ON "key_denial"("since") WHERE (count >= 100);

-- CreateIndex
CREATE INDEX "alarm_open_idx" ON "alarm"("workspace_id", "opened_at", "id") WHERE ("closed_at" IS NULL);

-- CreateIndex
CREATE INDEX "alarm_unmailed_idx" ON "alarm"("workspace_id") WHERE ("mailed_at" IS NULL);

-- CreateIndex
CREATE INDEX "alarm_workspace_id_mailed_at_idx" ON "alarm"("workspace_id", "mailed_at");

-- CreateIndex
CREATE INDEX "alarm_closed_at_idx" ON "alarm"("closed_at") WHERE ("closed_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "alarm_occasion_key" ON "alarm"("workspace_id", "kind", "subject_id", "occasion");

-- CreateIndex
CREATE INDEX "api_key_expiring_idx" ON "api_key"("expires_at") WHERE (revoked_at IS NULL AND expires_at IS NOT NULL AND expiring_told_for IS DISTINCT FROM expires_at);

-- AddForeignKey
ALTER TABLE "key_denial" ADD CONSTRAINT "key_denial_workspace_id_api_key_id_fkey" FOREIGN KEY ("workspace_id", "api_key_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alarm" ADD CONSTRAINT "alarm_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alarm_settings" ADD CONSTRAINT "alarm_settings_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alarm_preferences" ADD CONSTRAINT "alarm_preferences_workspace_id_member_id_fkey" FOREIGN KEY ("workspace_id", "member_id") REFERENCES "member"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "alarm" ADD CONSTRAINT "alarm_kind_check" CHECK ("kind" IN ('webhook_failing', 'webhook_disabled', 'key_expiring', 'key_stopping', 'key_rotation_due', 'key_denied', 'owner_added'));
ALTER TABLE "alarm_settings" ADD CONSTRAINT "alarm_settings_recipients_check" CHECK ("recipients" IN ('owners', 'admins'));
