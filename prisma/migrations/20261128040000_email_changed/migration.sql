-- compatible: older services leave emails of this kind to be tried again.
ALTER TABLE "mail" DROP CONSTRAINT "mail_kind_check",
ADD CONSTRAINT "mail_kind_check" CHECK ("kind" IN ('invitation', 'password-reset', 'email-change', 'email-changed', 'alarms', 'test'));
