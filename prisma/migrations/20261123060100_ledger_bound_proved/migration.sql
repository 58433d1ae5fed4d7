-- compatible: rows are read, and nothing waits for it.
ALTER TABLE "event" VALIDATE CONSTRAINT "ledger_bound";
ALTER TABLE "delivery" VALIDATE CONSTRAINT "ledger_bound";
ALTER TABLE "attempt" VALIDATE CONSTRAINT "ledger_bound";
