// Whether a person is signed in to the workspace settings in this browser, as far as a page can know without asking.
// The pages of the documentation ask for the session only then. It is no secret and permits nothing.
const storageName = 'signed-in'

export function markSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(storageName, 'true')
  else localStorage.removeItem(storageName)
}

export const isMarkedSignedIn = (): boolean => localStorage.getItem(storageName) !== null
