// All texts of the page reset-access, in one place for a translation.

export const texts = {
  signIn: 'Sign in',
  yourNewPasswordIsSet: 'Your new password is set.',
  setANewPassword: 'Set a new password',
  settingANewPasswordSigns: 'Setting a new password signs you out of all sessions.',
  setPassword: 'Set password',
  token: 'Token',
  theTokenIsPartOf: 'The token is part of the link that you received.',
  newPassword: 'New password',
}
