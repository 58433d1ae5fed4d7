// All texts of the page forgot-password, in one place for a translation.

export const texts = {
  resetYourPassword: 'Reset your password',
  backToSignIn: 'Back to sign-in',
  checkYourEmail: 'Check your email',
  ifBelongsToAnAccount: (sentTo: string) =>
    `If ${sentTo} belongs to an account, we sent a link to set a new password. The link expires in one hour. Check your spam folder too.`,
  enterTheEmailAddressOf: 'Enter the email address of your account. You get a link to set a new password.',
  sendLink: 'Send link',
  email: 'Email',
  askTheOperatorForA: 'Ask the operator for a link',
  thisInstallationDoesNotSend:
    'This installation does not send email. Its operator can create a link to set a new password for you. If you do not know the operator, ask an owner of your workspace.',
  accountsHereHaveNoPassword: 'Accounts here have no password',
  signInWithYourSign: 'Sign in with your sign-in provider, and reset the password there.',
}
