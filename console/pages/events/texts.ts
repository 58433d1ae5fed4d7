// All texts of the page events, in one place for a translation.

export const texts = {
  events: 'Events',
  allChangesInThisWorkspace:
    'All changes in this workspace in the last 30 days, in order. Webhooks and the event feed of the API deliver the same events.',
  live: 'Live',
  connecting: 'Connecting…',
  noEventsYet: 'No events yet',
  eventsAppearHereWhenA:
    'Events appear here when a person, a key or an assistant creates, changes or deletes something.',
  tasksUpdatedStatusTodoIn: 'tasks.updated · status: todo → in_progress',
  object: 'Object',
  request: 'Request',
  nameIdOrAnyText: 'Name, ID or any text',
  period: 'Period',
  last30Days: 'Last 30 days',
}
