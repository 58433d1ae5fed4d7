-- compatible: a table that older versions do not know.
-- CreateTable
CREATE TABLE "access_reset" (
    "account_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "access_reset_pkey" PRIMARY KEY ("account_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "access_reset_token_hash_key" ON "access_reset"("token_hash");

-- CreateIndex
CREATE INDEX "access_reset_expires_at_idx" ON "access_reset"("expires_at");

-- AddForeignKey
ALTER TABLE "access_reset" ADD CONSTRAINT "access_reset_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
