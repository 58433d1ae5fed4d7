-- compatible: a table that older versions do not know.
CREATE TABLE "installation" (
    "id" INTEGER NOT NULL,
    "sealed_proof" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "installation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "installation_id_check" CHECK ("id" = 1)
);
