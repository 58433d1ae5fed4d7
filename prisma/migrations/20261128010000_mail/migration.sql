-- compatible: a table and a column that older versions do not know.
-- AlterTable
ALTER TABLE "email_change" ADD COLUMN     "token_hash" BYTEA;

-- CreateTable
CREATE TABLE "mail" (
    "id" UUID NOT NULL,
    "workspace_id" UUID,
    "kind" TEXT NOT NULL,
    "sealed_content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failed_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mail_next_attempt_at_idx" ON "mail"("next_attempt_at") WHERE ("failed_at" IS NULL);

-- CreateIndex
CREATE INDEX "mail_workspace_id_idx" ON "mail"("workspace_id") WHERE ("failed_at" IS NULL);

-- CreateIndex
CREATE INDEX "mail_failed_at_idx" ON "mail"("failed_at") WHERE ("failed_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "email_change_token_hash_key" ON "email_change"("token_hash");

ALTER TABLE "mail" ADD CONSTRAINT "mail_kind_check" CHECK ("kind" IN ('invitation', 'password-reset', 'email-change', 'alarms', 'test'));
