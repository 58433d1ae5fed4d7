/** The part of the address behind `#`, which goes from the address and from the history at once. */
export function takeToken(): string {
  const token = decodeURIComponent(location.hash.slice(1))
  if (token !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return token
}
