-- compatible: older versions do not sort by amount.
-- Lists of CRM entities in the order of their amounts. What has none comes last in both directions.
CREATE INDEX crm_entity_amount_idx ON crm_entity (workspace_id, (coalesce((amount ->> 'amount')::numeric, 'Infinity')), id);
CREATE INDEX crm_entity_amount_descending_idx ON crm_entity (workspace_id, (coalesce((amount ->> 'amount')::numeric, '-Infinity')), id);
