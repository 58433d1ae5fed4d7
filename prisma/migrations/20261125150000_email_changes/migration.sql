-- compatible: a table and a column that older versions do not know.
-- AlterTable
ALTER TABLE "account_identity" ADD COLUMN     "email" TEXT;

-- CreateTable
CREATE TABLE "email_change" (
    "account_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_change_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE INDEX "email_change_email_idx" ON "email_change"("email");

-- CreateIndex
CREATE INDEX "email_change_expires_at_idx" ON "email_change"("expires_at");

-- AddForeignKey
ALTER TABLE "email_change" ADD CONSTRAINT "email_change_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An account that was not changed since it was linked still has the e-mail that the provider had verified then.
UPDATE "account_identity" i SET "email" = a."email"
FROM "account" a WHERE a."id" = i."account_id" AND a."updated_at" = i."created_at";
