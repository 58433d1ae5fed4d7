-- What the schema language cannot say. The code checks all of it first: these catch a mistake in the code.

ALTER TABLE "workspace"
  ADD CONSTRAINT "workspace_version_check" CHECK ("version" >= 1),
  ADD CONSTRAINT "workspace_slug_check" CHECK ("slug" ~ '^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$'),
  ADD CONSTRAINT "workspace_max_key_age_days_check" CHECK ("max_key_age_days" BETWEEN 1 AND 365);

ALTER TABLE "member"
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
  ADD CONSTRAINT "webhook_health_consecutive_failures_check" CHECK ("consecutive_failures" >= 0);

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
