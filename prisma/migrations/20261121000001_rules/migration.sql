-- What the schema language cannot say. The code checks all of it first: these catch a mistake in the code.

ALTER TABLE "workspace"
  ADD CONSTRAINT "workspace_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "workspace_slug_check" CHECK ("slug" ~ '^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$'),
  ADD CONSTRAINT "workspace_max_key_age_days_check" CHECK ("max_key_age_days" BETWEEN 1 AND 365);

ALTER TABLE "member"
  ADD CONSTRAINT "member_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "member_role_check" CHECK ("role" IN ('owner', 'admin', 'member', 'viewer')),
  ADD CONSTRAINT "member_status_check" CHECK ("status" IN ('invited', 'active', 'suspended'));

ALTER TABLE "project"
  ADD CONSTRAINT "project_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "project_key_check" CHECK ("key" ~ '^[A-Z]{2,10}$'),
  ADD CONSTRAINT "project_status_check" CHECK ("status" IN ('planned', 'active', 'paused', 'completed', 'cancelled')),
  ADD CONSTRAINT "project_health_check" CHECK ("health" IN ('on_track', 'at_risk', 'off_track')),
  ADD CONSTRAINT "project_priority_check" CHECK ("priority" IN ('none', 'low', 'medium', 'high', 'urgent')),
  ADD CONSTRAINT "project_completed_at_check" CHECK (("status" = 'completed') = ("completed_at" IS NOT NULL)),
  ADD CONSTRAINT "project_external_check" CHECK (("external_source" IS NULL) = ("external_id" IS NULL)),
  ADD CONSTRAINT "project_dates_check" CHECK ("due_date" >= "start_date");

ALTER TABLE "project" ADD CONSTRAINT "project_last_task_number_check" CHECK ("last_task_number" >= 0);

ALTER TABLE "task"
  ADD CONSTRAINT "task_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "task_number_check" CHECK ("number" >= 1),
  ADD CONSTRAINT "task_status_check"
    CHECK ("status" IN ('backlog', 'todo', 'in_progress', 'blocked', 'done', 'cancelled')),
  ADD CONSTRAINT "task_priority_check" CHECK ("priority" IN ('none', 'low', 'medium', 'high', 'urgent')),
  ADD CONSTRAINT "task_completed_at_check" CHECK (("status" = 'done') = ("completed_at" IS NOT NULL)),
  ADD CONSTRAINT "task_external_check" CHECK (("external_source" IS NULL) = ("external_id" IS NULL)),
  ADD CONSTRAINT "task_dates_check" CHECK ("due_date" >= "start_date"),
  ADD CONSTRAINT "task_estimate_minutes_check" CHECK ("estimate_minutes" >= 0);

ALTER TABLE "task_blocker" ADD CONSTRAINT "task_blocker_self_check" CHECK ("task_id" <> "blocked_by_id");

-- What belongs to one kind is empty for the others.
ALTER TABLE "crm_entity"
  ADD CONSTRAINT "crm_entity_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "crm_entity_kind_check" CHECK ("kind" IN ('company', 'contact', 'deal')),
  ADD CONSTRAINT "crm_entity_external_check" CHECK (("external_source" IS NULL) = ("external_id" IS NULL)),
  ADD CONSTRAINT "crm_entity_company_check" CHECK ("kind" = 'company' OR (
    "website" IS NULL AND "industry" IS NULL AND "employee_count" IS NULL AND "address" IS NULL
    AND "parent_company_id" IS NULL)),
  ADD CONSTRAINT "crm_entity_contact_check" CHECK ("kind" = 'contact' OR (
    "first_name" IS NULL AND "last_name" IS NULL AND "job_title" IS NULL)),
  ADD CONSTRAINT "crm_entity_deal_check" CHECK (CASE "kind"
    WHEN 'deal' THEN "stage" IN ('new', 'qualified', 'proposal', 'negotiation', 'won', 'lost')
      AND "probability" BETWEEN 0 AND 100 AND (("stage" IN ('won', 'lost')) = ("closed_at" IS NOT NULL))
    ELSE "stage" IS NULL AND "amount" IS NULL AND "probability" IS NULL AND "expected_close_date" IS NULL
      AND "closed_at" IS NULL AND "lost_reason" IS NULL END),
  ADD CONSTRAINT "crm_entity_company_id_check" CHECK ("company_id" IS NULL OR "kind" IN ('contact', 'deal')),
  ADD CONSTRAINT "crm_entity_employee_count_check" CHECK ("employee_count" >= 0),
  ADD CONSTRAINT "crm_entity_merged_check" CHECK ("merged_into_id" <> "id");

ALTER TABLE "document"
  ADD CONSTRAINT "document_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "document_status_check" CHECK ("status" IN ('draft', 'published', 'archived')),
  ADD CONSTRAINT "document_external_check" CHECK (("external_source" IS NULL) = ("external_id" IS NULL)),
  ADD CONSTRAINT "document_subject_check" CHECK (num_nonnulls("crm_entity_id", "project_id") <= 1);

ALTER TABLE "comment"
  ADD CONSTRAINT "comment_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "comment_subject_check" CHECK (num_nonnulls("task_id", "project_id", "crm_entity_id") = 1);

ALTER TABLE "custom_field"
  ADD CONSTRAINT "custom_field_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "custom_field_target_check" CHECK ("target" IN ('project', 'task', 'company', 'contact', 'deal')),
  ADD CONSTRAINT "custom_field_type_check"
    CHECK ("type" IN ('text', 'number', 'date', 'boolean', 'select', 'multi_select', 'user', 'url'));

ALTER TABLE "audit_entry"
  ADD CONSTRAINT "audit_entry_number_check" CHECK ("number" >= 1),
  ADD CONSTRAINT "audit_entry_count_check" CHECK ("count" >= 1),
  ADD CONSTRAINT "audit_entry_surface_check" CHECK ("surface" IN ('console', 'http', 'mcp', 'cli', 'system')),
  ADD CONSTRAINT "audit_entry_outcome_check" CHECK ("outcome" IN ('success', 'denied')),
  ADD CONSTRAINT "audit_entry_hash_check" CHECK (length("hash") = 32 AND length("previous_hash") = 32);

ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "api_key_max_age_days_check" CHECK ("max_age_days" BETWEEN 1 AND 365),
  ADD CONSTRAINT "api_key_revoked_check" CHECK (("revoked_at" IS NULL) = ("revoked_by" IS NULL));

ALTER TABLE "api_key_secret"
  ADD CONSTRAINT "api_key_secret_hash_check" CHECK (length("hash") = 32);

ALTER TABLE "webhook"
  ADD CONSTRAINT "webhook_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "webhook_payload_check" CHECK ("payload" IN ('full', 'thin')),
  ADD CONSTRAINT "webhook_status_check" CHECK ("status" IN ('active', 'paused', 'disabled'));

ALTER TABLE "webhook_health"
  ADD CONSTRAINT "webhook_health_consecutive_failures_check" CHECK ("consecutive_failures" >= 0),
  ADD CONSTRAINT "webhook_health_gone_check"
    CHECK (("gone_at" IS NULL) = ("gone_reason" IS NULL) AND "gone_reason" IN ('gone', 'failing'));

ALTER TABLE "event"
  ADD CONSTRAINT "event_sequence_check" CHECK ("sequence" >= 1);

-- A delivery that waits may have no next attempt (its webhook is paused); one that has ended never has.
ALTER TABLE "delivery"
  ADD CONSTRAINT "delivery_status_check"
    CHECK ("status" IN ('pending', 'retrying', 'delivered', 'dead_letter', 'cancelled')),
  ADD CONSTRAINT "delivery_origin_check" CHECK ("origin" IN ('live', 'replay', 'test')),
  ADD CONSTRAINT "delivery_tries_check" CHECK ("tries" >= 0 AND "max_attempts" >= 1),
  ADD CONSTRAINT "delivery_next_attempt_at_check"
    CHECK ("next_attempt_at" IS NULL OR "status" IN ('pending', 'retrying'));

ALTER TABLE "attempt"
  ADD CONSTRAINT "attempt_number_check" CHECK ("number" >= 1),
  ADD CONSTRAINT "attempt_trigger_check" CHECK ("trigger" IN ('automatic', 'manual')),
  ADD CONSTRAINT "attempt_payload_check" CHECK ("payload" IN ('full', 'thin')),
  ADD CONSTRAINT "attempt_outcome_check" CHECK ("outcome" IN ('success', 'failed', 'interrupted'));

ALTER TABLE "replay_job"
  ADD CONSTRAINT "replay_job_status_check" CHECK ("status" IN ('running', 'completed', 'cancelled')),
  ADD CONSTRAINT "replay_job_ended_at_check" CHECK (("status" = 'running') = ("ended_at" IS NULL)),
  ADD CONSTRAINT "replay_job_replayed_check" CHECK ("replayed" BETWEEN 0 AND "total");

-- A tree stays a tree, and no deeper than it may be: tasks under tasks, companies under companies. Two changes that
-- would close a circle between them meet at the lock, and the second sees the first.
CREATE FUNCTION refuse_cycle() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parent_column constant text := TG_ARGV[0];
  depth_max constant int := TG_ARGV[1];
  parent uuid := to_jsonb(NEW) ->> parent_column;
  above int;
  below int;
BEGIN
  IF parent IS NULL THEN RETURN NEW; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(TG_TABLE_NAME || NEW.workspace_id::text, 0));
  EXECUTE format('WITH RECURSIVE up (id, depth) AS (
      SELECT $2, 1
      UNION ALL
      SELECT t.%1$I, depth + 1 FROM up JOIN %2$I t ON t.workspace_id = $1 AND t.id = up.id
      WHERE t.%1$I IS NOT NULL AND depth <= $4 AND up.id <> $3
    ) SELECT CASE WHEN bool_or(id = $3) THEN -1 ELSE max(depth) END FROM up', parent_column, TG_TABLE_NAME)
    INTO above USING NEW.workspace_id, parent, NEW.id, depth_max;
  IF above = -1 THEN
    RAISE EXCEPTION '"%_%_cycle"', TG_TABLE_NAME, parent_column USING ERRCODE = '23514';
  END IF;
  EXECUTE format('WITH RECURSIVE down (id, depth) AS (
      SELECT $2, 1
      UNION ALL
      SELECT t.id, depth + 1 FROM down JOIN %2$I t ON t.workspace_id = $1 AND t.%1$I = down.id
      WHERE depth <= $3
    ) SELECT max(depth) FROM down', parent_column, TG_TABLE_NAME)
    INTO below USING NEW.workspace_id, NEW.id, depth_max;
  IF above + below > depth_max THEN
    RAISE EXCEPTION '"%_%_depth"', TG_TABLE_NAME, parent_column USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER task_parent_task_id_tree BEFORE INSERT OR UPDATE OF parent_task_id ON task
  FOR EACH ROW EXECUTE FUNCTION refuse_cycle('parent_task_id', '5');
CREATE TRIGGER crm_entity_parent_company_id_tree BEFORE INSERT OR UPDATE OF parent_company_id ON crm_entity
  FOR EACH ROW EXECUTE FUNCTION refuse_cycle('parent_company_id', '20');

-- Audit entries are written once. They may be deleted when their year is over, and not before.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.at < now() - interval '1 year' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'Audit entries are append-only' USING ERRCODE = '23514';
END $$;

CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Audit entries are append-only' USING ERRCODE = '23514';
END $$;
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncate();
