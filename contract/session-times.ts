// How long a session is good for, and a confirmation of it.

/** Without a call. */
export const sessionIdleHours = 12
/** In all. */
export const sessionDays = 14
/** A password that was just given need not be given again so soon. */
export const confirmedMinutes = 10
/** After a sign-in in it. */
export const knownBrowserDays = 365
/** For the link of the first start. */
export const setupLinkHours = 24
export const invitationDays = 7
/** For a new e-mail of an account to be confirmed. */
export const emailChangeDays = 7
/** For the link with which somebody sets a new password. */
export const resetLinkMinutes = 60
