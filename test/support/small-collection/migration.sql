-- compatible: a new table, which versions without it leave alone.
CREATE TABLE vehicle (
  workspace_id uuid NOT NULL REFERENCES workspace (id),
  id uuid NOT NULL,
  name text NOT NULL,
  plate text NOT NULL,
  notes text,
  project_id uuid,
  external_source text,
  external_id text,
  other_external_ids jsonb NOT NULL DEFAULT '[]',
  version int NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by jsonb NOT NULL,
  updated_by jsonb NOT NULL,
  imported jsonb,
  deleted_at timestamptz(3),
  purged_at timestamptz(3),
  CONSTRAINT vehicle_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT vehicle_project_id_fkey FOREIGN KEY (workspace_id, project_id) REFERENCES project (workspace_id, id)
);
CREATE UNIQUE INDEX vehicle_external_id_key ON vehicle (workspace_id, external_source, external_id);
CREATE TRIGGER vehicle_external_ids_made AFTER INSERT ON vehicle FOR EACH ROW EXECUTE FUNCTION keep_external_ids();
CREATE TRIGGER vehicle_external_ids_changed AFTER UPDATE OF external_source, external_id, other_external_ids ON vehicle
  FOR EACH ROW EXECUTE FUNCTION keep_external_ids();
CREATE TRIGGER vehicle_external_ids_gone AFTER DELETE ON vehicle FOR EACH ROW EXECUTE FUNCTION keep_external_ids();
CREATE UNIQUE INDEX vehicle_plate_key ON vehicle (workspace_id, plate);
CREATE INDEX vehicle_created_at_idx ON vehicle (workspace_id, created_at, id);
CREATE INDEX vehicle_updated_at_idx ON vehicle (workspace_id, updated_at, id);
CREATE INDEX vehicle_deleted_at_idx ON vehicle (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE TABLE vehicle_search (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT vehicle_search_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT vehicle_search_workspace_id_id_fkey FOREIGN KEY (workspace_id, id) REFERENCES vehicle (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX vehicle_search_words_idx ON vehicle_search USING gin (workspace_id, stored_words(words));
CREATE FUNCTION keep_vehicle_words() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN INSERT INTO vehicle_search VALUES (NEW.workspace_id, NEW.id, search_words(NEW.name, NEW.notes))
    ON CONFLICT (workspace_id, id) DO UPDATE SET words = EXCLUDED.words; RETURN NULL; END $$;
CREATE TRIGGER vehicle_words_made AFTER INSERT ON vehicle FOR EACH ROW EXECUTE FUNCTION keep_vehicle_words();
CREATE TRIGGER vehicle_words_changed AFTER UPDATE OF name, notes ON vehicle FOR EACH ROW
  WHEN (NEW.name IS DISTINCT FROM OLD.name OR NEW.notes IS DISTINCT FROM OLD.notes) EXECUTE FUNCTION keep_vehicle_words();
CREATE INDEX vehicle_trigrams_idx ON vehicle USING gin (workspace_id, folded(name) gin_trgm_ops);
