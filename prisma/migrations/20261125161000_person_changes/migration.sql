-- compatible: triggers that write down for gateways what has changed; older ones take it for keys that they do not know.
-- Whoever ends a session, and however. A stream is at most a minute old and its start is written down as a use, so that
-- one that was not used for an hour has none: most of those are deleted because they are outdated.
CREATE FUNCTION "note_ended_session"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_change (kind, subject_id) VALUES ('session', OLD.id);
  RETURN NULL;
END $$;

CREATE TRIGGER "session_ended" AFTER DELETE ON "session" FOR EACH ROW
  WHEN (OLD.last_used_at > clock_timestamp() - interval '1 hour') EXECUTE FUNCTION "note_ended_session"();

-- What a member may see of the workspace depends on these alone. An account that joins takes nothing away.
CREATE FUNCTION "note_changed_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_change (kind, subject_id) VALUES ('member', NEW.id);
  RETURN NULL;
END $$;

CREATE TRIGGER "member_access_changed" AFTER UPDATE ON "member" FOR EACH ROW
  WHEN ((OLD.role, OLD.status, OLD.deleted_at) IS DISTINCT FROM (NEW.role, NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION "note_changed_member"();
