-- compatible: a column with a default, which older versions neither read nor write.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE "api_key"
  ADD COLUMN "tool_names" TEXT NOT NULL DEFAULT 'auto',
  ADD CONSTRAINT "api_key_tool_names_check" CHECK ("tool_names" IN ('auto', 'dots', 'underscores'));
