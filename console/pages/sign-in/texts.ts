// All texts of the page sign-in, in one place for a translation.

export const texts = {
  signingIn: 'Signing in…',
  signInFailed: 'Sign-in failed',
  theSignInWasNot: 'The sign-in was not started in this tab',
  startAndCompleteTheSign: 'Start and complete the sign-in in the same tab and at the same URL.',
  signIn: 'Sign in',
  manageApiKeysWebhooksAnd: 'Manage API keys, webhooks and members.',
  forgotYourPassword: 'Forgot your password?',
  signInWithAPasskey: 'Sign in with a passkey',
}
