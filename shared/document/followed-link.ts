/** Schemes of addresses that a reader may follow: what leads somewhere, and nothing that runs. */
export const followedSchemes: readonly string[] = 'http https mailto tel ftp sftp sms news file'.split(' ')

/** Whether a reader may follow an address: one of a known scheme, or one relative to the document. */
export function isFollowed(address: string): boolean {
  const scheme = /^\s*([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  return address.trim() !== '' && (scheme === undefined || followedSchemes.includes(scheme))
}
