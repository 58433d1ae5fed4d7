// All texts of the page setup, in one place for a translation.

export const texts = {
  setUp: 'Set up',
  setupIsComplete: 'Setup is complete',
  theFirstAccountExistsSo: 'The first account exists, so the setup link no longer works.',
  signIn: 'Sign in',
  createTheOwnerAccount: 'Create the owner account',
  theOwnerHasFullAccess: 'The owner has full access and can invite members.',
  createAccount: 'Create account',
  setupToken: 'Setup token',
  theTokenIsPartOf: 'The token is part of the setup link, which the server prints to its log at startup.',
  yourName: 'Your name',
  email: 'Email',
  password: 'Password',
  workspaceName: 'Workspace name',
}
