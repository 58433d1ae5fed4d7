-- compatible: tables that older versions do not know, and columns that they do not write.
-- AlterTable
ALTER TABLE "access_reset" ADD COLUMN     "removes_second_factors" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "sign_in_method" TEXT;

-- CreateTable
CREATE TABLE "authenticator" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "sealed_secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "last_step" BIGINT NOT NULL,

    CONSTRAINT "authenticator_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_code" (
    "account_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("account_id","code_hash")
);

-- CreateTable
CREATE TABLE "factor_challenge" (
    "token_hash" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "account_id" UUID,
    "sealed_state" BYTEA NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "factor_challenge_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "authenticator_account_id_key" ON "authenticator"("account_id");

-- CreateIndex
CREATE INDEX "factor_challenge_account_id_idx" ON "factor_challenge"("account_id");

-- CreateIndex
CREATE INDEX "factor_challenge_expires_at_idx" ON "factor_challenge"("expires_at");

-- AddForeignKey
ALTER TABLE "authenticator" ADD CONSTRAINT "authenticator_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "factor_challenge" ADD CONSTRAINT "factor_challenge_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
