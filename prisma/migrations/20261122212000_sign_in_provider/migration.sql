-- compatible: tables that older versions do not know.
-- CreateTable
CREATE TABLE "account_identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_identity_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "sign_in_flow" (
    "token_hash" BYTEA NOT NULL,
    "sealed_state" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_flow_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_identity_account_id_key" ON "account_identity"("account_id", "issuer");

-- CreateIndex
CREATE INDEX "sign_in_flow_expires_at_idx" ON "sign_in_flow"("expires_at");

-- AddForeignKey
ALTER TABLE "account_identity" ADD CONSTRAINT "account_identity_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
