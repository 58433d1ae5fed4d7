// All texts of the page objects, in one place for a translation.

export const texts = {
  object: 'Object',
  everythingThatHappenedToThis:
    'Everything that happened to this object: events of the last 30 days and, if there are any, audit entries of the last year.',
  objectId: 'Object ID',
  objectIdCopied: 'object ID',
  type: 'Type',
  events: 'Events',
  requestsAboutThisObject: 'Requests about this object',
  noEvents: 'No events',
  nothingWasChangedInThe: 'Nothing was changed in the last 30 days, or your role cannot read these events.',
  auditLog: 'Audit log',
}
