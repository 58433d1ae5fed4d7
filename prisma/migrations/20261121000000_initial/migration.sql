-- CreateTable
CREATE TABLE "delivery" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "webhook_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "max_attempts" INTEGER NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "last_status_code" INTEGER,
    "last_error_code" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "dead_lettered_at" TIMESTAMPTZ(3),

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "attempt" (
    "workspace_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "trigger" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "timings" JSONB,
    "url" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "request_headers" JSONB NOT NULL,
    "response_status" INTEGER,
    "response_headers" JSONB,
    "response_body" TEXT,
    "truncated" BOOLEAN NOT NULL,
    "outcome" TEXT NOT NULL,
    "error_code" TEXT,

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("workspace_id","delivery_id","number")
);

-- CreateTable
CREATE TABLE "webhook_health" (
    "workspace_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "consecutive_failures" INTEGER NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "gone_at" TIMESTAMPTZ(3),
    "gone_reason" TEXT,

    CONSTRAINT "webhook_health_pkey" PRIMARY KEY ("workspace_id","webhook_id")
);

-- CreateTable
CREATE TABLE "replay_job" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "filter" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "total" INTEGER NOT NULL,
    "replayed" INTEGER NOT NULL,
    "position" JSONB,
    "created_by" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "replay_job_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "workspace" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "default_currency" TEXT NOT NULL,
    "sandbox" BOOLEAN NOT NULL,
    "max_key_age_days" INTEGER,
    "require_ip_allowlist" BOOLEAN NOT NULL,
    "require_expiry" BOOLEAN NOT NULL,
    "allow_unbound_keys" BOOLEAN NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "member" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "member_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "crm_entity" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "owner_id" UUID,
    "labels" TEXT[],
    "description" TEXT,
    "merged_into_id" UUID,
    "website" TEXT,
    "industry" TEXT,
    "employee_count" INTEGER,
    "phones" TEXT[],
    "address" JSONB,
    "parent_company_id" UUID,
    "first_name" TEXT,
    "last_name" TEXT,
    "job_title" TEXT,
    "company_id" UUID,
    "stage" TEXT,
    "amount" JSONB,
    "probability" INTEGER,
    "expected_close_date" DATE,
    "closed_at" TIMESTAMPTZ(3),
    "lost_reason" TEXT,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "external_source" TEXT,
    "external_id" TEXT,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "crm_entity_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "crm_domain" (
    "workspace_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "crm_entity_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "crm_domain_domains_key" PRIMARY KEY ("workspace_id","domain")
);

-- CreateTable
CREATE TABLE "crm_email" (
    "workspace_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "crm_entity_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "crm_email_emails_key" PRIMARY KEY ("workspace_id","email")
);

-- CreateTable
CREATE TABLE "deal_contact" (
    "workspace_id" UUID NOT NULL,
    "deal_id" UUID NOT NULL,
    "contact_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "deal_contact_pkey" PRIMARY KEY ("workspace_id","deal_id","contact_id")
);

-- CreateTable
CREATE TABLE "project" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "status" TEXT NOT NULL,
    "health" TEXT,
    "priority" TEXT NOT NULL,
    "owner_id" UUID,
    "company_id" UUID,
    "labels" TEXT[],
    "start_date" DATE,
    "due_date" DATE,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "external_source" TEXT,
    "external_id" TEXT,
    "completed_at" TIMESTAMPTZ(3),
    "archived_at" TIMESTAMPTZ(3),
    "last_task_number" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "project_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "project_member" (
    "workspace_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "project_member_pkey" PRIMARY KEY ("workspace_id","project_id","member_id")
);

-- CreateTable
CREATE TABLE "task" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "status" TEXT NOT NULL,
    "priority" TEXT NOT NULL,
    "parent_task_id" UUID,
    "labels" TEXT[],
    "start_date" DATE,
    "due_date" DATE,
    "estimate_minutes" INTEGER,
    "position" DOUBLE PRECISION NOT NULL,
    "custom_fields" JSONB NOT NULL DEFAULT '{}',
    "external_source" TEXT,
    "external_id" TEXT,
    "completed_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "task_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "task_assignee" (
    "workspace_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "task_assignee_pkey" PRIMARY KEY ("workspace_id","task_id","member_id")
);

-- CreateTable
CREATE TABLE "task_blocker" (
    "workspace_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "blocked_by_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "task_blocker_pkey" PRIMARY KEY ("workspace_id","task_id","blocked_by_id")
);

-- CreateTable
CREATE TABLE "task_crm_entity" (
    "workspace_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "crm_entity_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "task_crm_entity_pkey" PRIMARY KEY ("workspace_id","task_id","crm_entity_id")
);

-- CreateTable
CREATE TABLE "document" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "summary" TEXT,
    "folder" TEXT,
    "tags" TEXT[],
    "status" TEXT NOT NULL,
    "crm_entity_id" UUID,
    "project_id" UUID,
    "word_count" INTEGER NOT NULL,
    "checksum" TEXT NOT NULL,
    "external_source" TEXT,
    "external_id" TEXT,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "document_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "comment" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "task_id" UUID,
    "project_id" UUID,
    "crm_entity_id" UUID,
    "body" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "comment_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "custom_field" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "options" TEXT[],
    "required" BOOLEAN NOT NULL,
    "archived_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,

    CONSTRAINT "custom_field_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "audit_chain" (
    "workspace_id" UUID NOT NULL,
    "last_number" BIGINT NOT NULL,
    "last_hash" BYTEA NOT NULL,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "workspace_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" JSONB NOT NULL,
    "action" TEXT NOT NULL,
    "surface" TEXT NOT NULL,
    "target" JSONB,
    "outcome" TEXT NOT NULL,
    "code" TEXT,
    "ip" TEXT,
    "user_agent" TEXT,
    "request_id" TEXT NOT NULL,
    "changes" JSONB NOT NULL,
    "count" INTEGER NOT NULL,
    "previous_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("workspace_id","number")
);

-- CreateTable
CREATE TABLE "api_key" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "bound" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "owner_id" UUID,
    "scopes" TEXT[],
    "surfaces" TEXT[],
    "ip_allowlist" TEXT[],
    "max_age_days" INTEGER,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "last_used_ip" TEXT,
    "last_used_user_agent" TEXT,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" JSONB,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "api_key_secret" (
    "hash" BYTEA NOT NULL,
    "workspace_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "due_told_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_secret_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "api_key_workspace" (
    "home_workspace_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,

    CONSTRAINT "api_key_workspace_pkey" PRIMARY KEY ("api_key_id","workspace_id")
);

-- CreateTable
CREATE TABLE "api_key_usage" (
    "workspace_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "requests" INTEGER NOT NULL,

    CONSTRAINT "api_key_usage_pkey" PRIMARY KEY ("workspace_id","api_key_id","day")
);

-- CreateTable
CREATE TABLE "webhook" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "filter" JSONB,
    "payload" TEXT NOT NULL,
    "header_names" TEXT[],
    "sealed_headers" BYTEA,
    "status" TEXT NOT NULL,
    "disabled_reason" TEXT,
    "status_changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" JSONB NOT NULL,
    "updated_by" JSONB NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "webhook_secret" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "event_sequence" (
    "workspace_id" UUID NOT NULL,
    "last" BIGINT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expired" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_sequence_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "event" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" UUID NOT NULL,
    "resource_kind" TEXT,
    "project_id" UUID,
    "changed_fields" TEXT[],
    "body" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "event_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "caller_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "sealed_body" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("caller_id","workspace_id","operation","key")
);

-- CreateIndex
CREATE INDEX "delivery_workspace_id_created_at_id_idx" ON "delivery"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "delivery_workspace_id_webhook_id_created_at_status_idx" ON "delivery"("workspace_id", "webhook_id", "created_at", "status");

-- CreateIndex
CREATE INDEX "delivery_next_attempt_at_idx" ON "delivery"("next_attempt_at") WHERE ("next_attempt_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "delivery_workspace_id_event_id_webhook_id_key" ON "delivery"("workspace_id", "event_id", "webhook_id");

-- CreateIndex
CREATE INDEX "webhook_health_gone_at_idx" ON "webhook_health"("gone_at") WHERE ("gone_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "replay_job_updated_at_idx" ON "replay_job"("updated_at") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "replay_job_running_key" ON "replay_job"("workspace_id") WHERE ("ended_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "workspace_slug_key" ON "workspace"("slug");

-- CreateIndex
CREATE INDEX "workspace_created_at_id_idx" ON "workspace"("created_at", "id");

-- CreateIndex
CREATE INDEX "member_workspace_id_created_at_id_idx" ON "member"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "member_workspace_id_updated_at_id_idx" ON "member"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "member_email_key" ON "member"("workspace_id", "email") WHERE (deleted_at IS NULL);

-- CreateIndex
CREATE INDEX "crm_entity_workspace_id_created_at_id_idx" ON "crm_entity"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "crm_entity_workspace_id_updated_at_id_idx" ON "crm_entity"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "crm_entity_workspace_id_name_id_idx" ON "crm_entity"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "crm_entity_workspace_id_kind_created_at_id_idx" ON "crm_entity"("workspace_id", "kind", "created_at", "id");

-- CreateIndex
CREATE INDEX "crm_entity_workspace_id_company_id_idx" ON "crm_entity"("workspace_id", "company_id") WHERE ("company_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "crm_entity_workspace_id_parent_company_id_idx" ON "crm_entity"("workspace_id", "parent_company_id") WHERE ("parent_company_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "crm_entity_workspace_id_merged_into_id_idx" ON "crm_entity"("workspace_id", "merged_into_id") WHERE ("merged_into_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "crm_entity_workspace_id_owner_id_created_at_id_idx" ON "crm_entity"("workspace_id", "owner_id", "created_at", "id") WHERE ("owner_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "crm_entity_deleted_at_idx" ON "crm_entity"("deleted_at") WHERE ("deleted_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "crm_entity_external_id_key" ON "crm_entity"("workspace_id", "external_source", "external_id");

-- CreateIndex
CREATE INDEX "crm_domain_workspace_id_crm_entity_id_position_idx" ON "crm_domain"("workspace_id", "crm_entity_id", "position");

-- CreateIndex
CREATE INDEX "crm_email_workspace_id_crm_entity_id_position_idx" ON "crm_email"("workspace_id", "crm_entity_id", "position");

-- CreateIndex
CREATE INDEX "deal_contact_workspace_id_contact_id_idx" ON "deal_contact"("workspace_id", "contact_id");

-- CreateIndex
CREATE INDEX "project_workspace_id_created_at_id_idx" ON "project"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "project_workspace_id_updated_at_id_idx" ON "project"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "project_workspace_id_name_id_idx" ON "project"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "project_workspace_id_company_id_idx" ON "project"("workspace_id", "company_id") WHERE ("company_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "project_deleted_at_idx" ON "project"("deleted_at") WHERE ("deleted_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "project_key_key" ON "project"("workspace_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "project_external_id_key" ON "project"("workspace_id", "external_source", "external_id");

-- CreateIndex
CREATE INDEX "project_member_workspace_id_member_id_idx" ON "project_member"("workspace_id", "member_id");

-- CreateIndex
CREATE INDEX "task_workspace_id_created_at_id_idx" ON "task"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "task_workspace_id_updated_at_id_idx" ON "task"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "task_workspace_id_title_id_idx" ON "task"("workspace_id", "title", "id");

-- CreateIndex
CREATE INDEX "task_workspace_id_project_id_created_at_id_idx" ON "task"("workspace_id", "project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "task_workspace_id_status_created_at_id_idx" ON "task"("workspace_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "task_workspace_id_parent_task_id_idx" ON "task"("workspace_id", "parent_task_id") WHERE ("parent_task_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "task_deleted_at_idx" ON "task"("deleted_at") WHERE ("deleted_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "task_number_key" ON "task"("workspace_id", "project_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "task_external_id_key" ON "task"("workspace_id", "external_source", "external_id");

-- CreateIndex
CREATE INDEX "task_assignee_workspace_id_member_id_task_id_idx" ON "task_assignee"("workspace_id", "member_id", "task_id");

-- CreateIndex
CREATE INDEX "task_blocker_workspace_id_blocked_by_id_idx" ON "task_blocker"("workspace_id", "blocked_by_id");

-- CreateIndex
CREATE INDEX "task_crm_entity_workspace_id_crm_entity_id_task_id_idx" ON "task_crm_entity"("workspace_id", "crm_entity_id", "task_id");

-- CreateIndex
CREATE INDEX "document_workspace_id_created_at_id_idx" ON "document"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "document_workspace_id_updated_at_id_idx" ON "document"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "document_workspace_id_title_id_idx" ON "document"("workspace_id", "title", "id");

-- CreateIndex
CREATE INDEX "document_workspace_id_project_id_idx" ON "document"("workspace_id", "project_id") WHERE ("project_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "document_workspace_id_crm_entity_id_idx" ON "document"("workspace_id", "crm_entity_id") WHERE ("crm_entity_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "document_deleted_at_idx" ON "document"("deleted_at") WHERE ("deleted_at" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "document_external_id_key" ON "document"("workspace_id", "external_source", "external_id");

-- CreateIndex
CREATE INDEX "comment_workspace_id_task_id_created_at_id_idx" ON "comment"("workspace_id", "task_id", "created_at", "id") WHERE ("task_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "comment_workspace_id_project_id_created_at_id_idx" ON "comment"("workspace_id", "project_id", "created_at", "id") WHERE ("project_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "comment_workspace_id_crm_entity_id_created_at_id_idx" ON "comment"("workspace_id", "crm_entity_id", "created_at", "id") WHERE ("crm_entity_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "comment_deleted_at_idx" ON "comment"("deleted_at") WHERE ("deleted_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "custom_field_workspace_id_created_at_id_idx" ON "custom_field"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "custom_field_key_key" ON "custom_field"("workspace_id", "target", "key");

-- CreateIndex
CREATE INDEX "audit_entry_workspace_id_at_id_idx" ON "audit_entry"("workspace_id", "at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_workspace_id_id_key" ON "audit_entry"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "api_key_workspace_id_created_at_id_idx" ON "api_key"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_id_key" ON "api_key"("id");

-- CreateIndex
CREATE INDEX "api_key_secret_workspace_id_api_key_id_created_at_idx" ON "api_key_secret"("workspace_id", "api_key_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_workspace_id_created_at_id_idx" ON "webhook"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_deleted_at_idx" ON "webhook"("deleted_at") WHERE ("deleted_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "webhook_secret_workspace_id_webhook_id_idx" ON "webhook_secret"("workspace_id", "webhook_id");

-- CreateIndex
CREATE INDEX "event_occurred_at_idx" ON "event"("occurred_at");

-- CreateIndex
CREATE UNIQUE INDEX "event_workspace_id_sequence_key" ON "event"("workspace_id", "sequence");

-- CreateIndex
CREATE INDEX "outbox_created_at_idx" ON "outbox"("created_at");

-- CreateIndex
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "event"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_workspace_id_delivery_id_fkey" FOREIGN KEY ("workspace_id", "delivery_id") REFERENCES "delivery"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_health" ADD CONSTRAINT "webhook_health_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_entity" ADD CONSTRAINT "crm_entity_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_entity" ADD CONSTRAINT "crm_entity_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "member"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_entity" ADD CONSTRAINT "crm_entity_merged_into_id_fkey" FOREIGN KEY ("workspace_id", "merged_into_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_entity" ADD CONSTRAINT "crm_entity_parent_company_id_fkey" FOREIGN KEY ("workspace_id", "parent_company_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_entity" ADD CONSTRAINT "crm_entity_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "crm_domain" ADD CONSTRAINT "crm_domain_workspace_id_crm_entity_id_fkey" FOREIGN KEY ("workspace_id", "crm_entity_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "crm_email" ADD CONSTRAINT "crm_email_workspace_id_crm_entity_id_fkey" FOREIGN KEY ("workspace_id", "crm_entity_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deal_contact" ADD CONSTRAINT "deal_contact_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deal_contact" ADD CONSTRAINT "deal_contact_contact_ids_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project" ADD CONSTRAINT "project_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project" ADD CONSTRAINT "project_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "member"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project" ADD CONSTRAINT "project_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_member" ADD CONSTRAINT "project_member_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_member" ADD CONSTRAINT "project_member_member_ids_fkey" FOREIGN KEY ("workspace_id", "member_id") REFERENCES "member"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_parent_task_id_fkey" FOREIGN KEY ("workspace_id", "parent_task_id") REFERENCES "task"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task_assignee" ADD CONSTRAINT "task_assignee_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_assignee" ADD CONSTRAINT "task_assignee_assignee_ids_fkey" FOREIGN KEY ("workspace_id", "member_id") REFERENCES "member"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_blocker" ADD CONSTRAINT "task_blocker_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_blocker" ADD CONSTRAINT "task_blocker_blocked_by_ids_fkey" FOREIGN KEY ("workspace_id", "blocked_by_id") REFERENCES "task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_crm_entity" ADD CONSTRAINT "task_crm_entity_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task_crm_entity" ADD CONSTRAINT "task_crm_entity_crm_entity_ids_fkey" FOREIGN KEY ("workspace_id", "crm_entity_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document" ADD CONSTRAINT "document_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document" ADD CONSTRAINT "document_crm_entity_id_fkey" FOREIGN KEY ("workspace_id", "crm_entity_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "document" ADD CONSTRAINT "document_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "comment" ADD CONSTRAINT "comment_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment" ADD CONSTRAINT "comment_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "task"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment" ADD CONSTRAINT "comment_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "project"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comment" ADD CONSTRAINT "comment_workspace_id_crm_entity_id_fkey" FOREIGN KEY ("workspace_id", "crm_entity_id") REFERENCES "crm_entity"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_field" ADD CONSTRAINT "custom_field_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_chain" ADD CONSTRAINT "audit_chain_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "member"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key_secret" ADD CONSTRAINT "api_key_secret_workspace_id_api_key_id_fkey" FOREIGN KEY ("workspace_id", "api_key_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_workspace" ADD CONSTRAINT "api_key_workspace_home_workspace_id_api_key_id_fkey" FOREIGN KEY ("home_workspace_id", "api_key_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_workspace" ADD CONSTRAINT "api_key_workspace_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_usage" ADD CONSTRAINT "api_key_usage_workspace_id_api_key_id_fkey" FOREIGN KEY ("workspace_id", "api_key_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_secret" ADD CONSTRAINT "webhook_secret_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_sequence" ADD CONSTRAINT "event_sequence_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
