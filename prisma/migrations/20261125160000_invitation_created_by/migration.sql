-- compatible: adds a column that may be empty, which older versions leave empty.
ALTER TABLE "invitation" ADD COLUMN     "created_by" JSONB;
