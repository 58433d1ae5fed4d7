// All texts of the page invitation, in one place for a translation.

export const texts = {
  join: (workspaceName: string) => `Join ${workspaceName}`,
  youAreSignedInAs: (name: string, email: string) => `You are signed in as ${name} (${email}).`,
  thisInvitationWasCreatedFor: (invitationName: string, email: string) =>
    `This invitation was created for ${invitationName} (${email}). If you accept it, the membership goes to your account.`,
  joinWithThisAccount: 'Join with this account',
  notNow: 'Not now',
  anotherAccountInstead: 'Use another account',
  welcomeTo: (joinedName: string) => `Welcome to ${joinedName}`,
  loadingInvitation: 'Loading invitation…',
  invitation: 'Invitation',
  thisInvitationIsNoLonger: 'This invitation is no longer valid',
  anInvitationLinkCanBe: 'An invitation link can be used once and expires after 7 days. A newer link replaces it.',
  ifYouHaveAlreadyAccepted:
    'If you have already accepted the invitation, sign in. Otherwise, ask an owner or admin of the workspace for a new link.',
  theLinkIsIncomplete: 'The link is incomplete',
  thePartOfTheLink: 'The part of the link after # is missing.',
  openTheOriginalLinkAgain: 'Open the original link again, or copy the whole link.',
  signIn: 'Sign in',
  thisInvitationIsFor: (name: string) => `This invitation is for ${name}.`,
  signInToAcceptThe: 'Sign in to accept the invitation',
  yourAccountAlreadyExistsIt: 'Your account already exists. It will be added to this workspace.',
  iAlreadyHaveAnAccount: 'I already have an account',
  createAnAccount: 'Create an account',
  createAccountAndJoin: 'Create account and join',
  yourName: 'Your name',
  email: 'Email',
  youWillSignInWith: 'You will sign in with this email address.',
  password: 'Password',
  yourRole: (name: string) => `Your role: ${name}`,
}
