-- compatible: columns that older versions leave alone, and a check that allows more than before.
-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "arguments_hash" BYTEA,
ADD COLUMN     "trace_id" TEXT;

-- Entries of tool calls say what came of them.
ALTER TABLE "audit_entry"
  DROP CONSTRAINT "audit_entry_outcome_check",
  ADD CONSTRAINT "audit_entry_outcome_check" CHECK ("outcome" IN ('success', 'denied', 'failed')),
  ADD CONSTRAINT "audit_entry_arguments_hash_check" CHECK (length("arguments_hash") = 32);
