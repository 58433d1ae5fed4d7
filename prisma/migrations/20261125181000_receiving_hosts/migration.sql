-- compatible: older dispatchers neither read nor write the table; what they send is not counted.
CREATE TABLE "receiving_host" (
    "workspace_id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "sent" INTEGER NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "proven_at" TIMESTAMPTZ(3),

    CONSTRAINT "receiving_host_pkey" PRIMARY KEY ("workspace_id","host")
);

ALTER TABLE "receiving_host" ADD CONSTRAINT "receiving_host_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
