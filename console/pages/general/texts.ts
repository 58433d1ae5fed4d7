// All texts of the page General, in one place for a translation.

export const texts = {
  general: 'General',
  theNameOfThisWorkspace:
    'The workspace name and time zone, files, notifications, sandboxes, and the defaults for amounts and phone numbers.',
  loading: 'Loading',
  settingsSaved: 'Settings saved',
  youCanViewTheseSettings: 'You can view these settings, but not change them',
  onlyAdminsAndOwnersCan: 'Only admins and owners can change them.',
  saveChanges: 'Save changes',
  discardChanges: 'Discard changes',
  workspace: 'Workspace',
  name: 'Name',
  timeZone: 'Time zone',
  europeBerlin: 'Europe/Berlin',
  anIanaTimeZoneSuch:
    'An IANA time zone, such as Europe/Berlin. Counts by month use it to decide which month an object belongs to.',
  defaults: 'Defaults',
  currency: 'Currency',
  eur: 'EUR',
  country: 'Country',
  de: 'DE',
  files: 'Files',
  holdUploadedFilesForA: 'Hold uploaded files for a virus scanner',
  nobodyCanReadANew:
    'Nobody can read a new file until a key with the scope files:release releases it. Existing files are not affected.',
  usedForPhoneNumbersWithout: 'Used for phone numbers without a country code. Enter two letters, such as DE.',
  ownersAndAdmins: 'Owners and admins',
  owners: 'Owners',
  notificationsSaved: 'Notifications saved',
  notifications: 'Notifications',
  emailsAboutWhatNeedsAttention:
    'Emails about what needs attention in this workspace. Each person can turn off some of them on the Account page. Changes are saved immediately.',
  notificationsAreShownOnly: 'Notifications are shown on the Overview page only',
  noEmailsForSandboxes: 'No emails are sent for sandboxes.',
  noEmailsWithoutOperator: 'No emails are sent, because the operator has not set up email for this installation.',
  recipients: 'Recipients',
  sendEmailsAbout: 'Send emails about',
  sandboxes: 'Sandboxes',
  aSandboxIsAWorkspace: (used: number, quota: number) =>
    `A sandbox is a workspace with sample data, to try things in. ${used} of ${quota} are in use.`,
  createSandbox: 'Create sandbox…',
  toCreateAnotherOneAsk: 'To create another one, ask the operator to delete one or to raise the quota.',
  createSandboxNow: 'Create sandbox',
  sandbox: 'Sandbox',
  sandboxCreated: 'Sandbox created',
  theSandboxGetsSampleData:
    'The sandbox gets sample data of a company (500 objects), which takes a few seconds. You become the owner of the sandbox.',
  sandboxReset: 'Sandbox reset',
  thisWorkspaceHasSampleData:
    'This workspace has sample data. A reset deletes its data and creates new sample data. API keys, webhooks, members and files are kept.',
  resetSandboxAsked: 'Reset sandbox…',
  resetSandbox: 'Reset sandbox',
  reset: (name: string) => `Reset “${name}”?`,
  allProjectsTasksCrmEntities:
    'All projects, tasks, CRM entities, documents, comments and custom fields are permanently deleted, including those that can still be restored. New sample data is then created. API keys, webhooks, members and files are kept. This cannot be undone.',
}
