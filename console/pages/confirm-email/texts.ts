// All texts of the page confirm-email, in one place for a translation.

export const texts = {
  confirmYourEmailAddress: 'Confirm your email address',
  thisLinkIsIncomplete: 'This link is incomplete',
  openTheLinkFromThe: 'Open the link from the email again.',
  afterYouConfirmYouSign: 'After you confirm, you sign in with the new address.',
  confirm: 'Confirm',
  emailAddressConfirmed: 'Email address confirmed',
  youNowSignInWith: (email: string) => `You now sign in with ${email}.`,
  goToTheWorkspaceSettings: 'Go to the workspace settings',
}
