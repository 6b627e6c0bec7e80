/** Private-use URI schemes of native applications (RFC 8252 section 7.1), and the schemes that are none. */

/** Schemes that browsers or systems handle themselves: no application receives the answer. */
const refusedSchemes: readonly string[] = [
  // Scripts and documents, which would run or show the answer.
  ...['javascript', 'vbscript', 'livescript', 'jscript', 'mocha', 'data', 'blob', 'about'],
  ...['file', 'filesystem', 'view-source', 'jar', 'resource', 'cid', 'mid', 'mhtml', 'feed'],
  // Pages of browsers and their extensions.
  ...['chrome', 'chrome-extension', 'chrome-untrusted', 'devtools', 'edge', 'moz-extension'],
  ...['safari-extension', 'safari-web-extension', 'view', 'wyciwyg', 'content', 'intent'],
  // Protocols of networks.
  ...['ws', 'wss', 'ftp', 'ftps', 'sftp', 'gopher', 'ldap', 'ldaps', 'smb', 'ssh', 'telnet'],
  ...['mailto', 'tel', 'sms', 'urn', 'tag', 'news', 'nntp', 'irc', 'magnet'],
  // Commands of operating systems.
  ...['shell', 'search', 'search-ms', 'ms-msdt', 'ms-appinstaller', 'ms-officecmd', 'ms-settings'],
  ...['ms-its', 'its', 'mk', 'hcp', 'res', 'x-apple.systempreferences', 'itms-services'],
]

/** `localhost:3000/cb` is a host without its scheme. */
const hostNames: readonly string[] = ['localhost']

/** Whether a scheme may be an application's own. @param scheme in lower case, without its colon */
export const isPrivateUse = (scheme: string): boolean =>
  /^[a-z][a-z0-9+.-]*[a-z0-9]$/.test(scheme) &&
  scheme !== 'https' &&
  scheme !== 'http' &&
  !refusedSchemes.includes(scheme) &&
  !hostNames.includes(scheme)
