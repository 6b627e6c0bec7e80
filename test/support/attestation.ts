/**
 * A device that its maker vouches for (WebAuthn level 3, sections 8.2 and 8.6). Certificate and key were
 * made for these tests and are worth nothing elsewhere.
 */
import { createPrivateKey, sign } from 'node:crypto'

const certificateText = [
  'MIIB4jCCAYegAwIBAgIUEWCzEHXaWYT7fwBONm6bx4Za5oAwCgYIKoZIzj0EAwIwVzELMAkGA1UEBhMCWFgxDj',
  'AMBgNVBAoMBVRlc3RzMSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMRQwEgYDVQQDDAtUZXN0',
  'IERldmljZTAgFw0yNjExMjIxMDU2NDNaGA8yMTI2MTAyOTEwNTY0M1owVzELMAkGA1UEBhMCWFgxDjAMBgNVBA',
  'oMBVRlc3RzMSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMRQwEgYDVQQDDAtUZXN0IERldmlj',
  'ZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFe6f0FLXEOnodq0G60z93uO66WCQ8DKs2Y8STK8Rz4QzoVL3X',
  '-CDgnekyBYQmG0p8PHHEyd4FqCPwQWIApR8v2jLzAtMAwGA1UdEwEB_wQCMAAwHQYDVR0OBBYEFM6nJToB4DtH',
  'b0mdW44opevBZeaxMAoGCCqGSM49BAMCA0kAMEYCIQCPg8pcCAcjjRukPoVBIlQzOSX_XfSgzr2NAqDiUZX0AQ',
  'IhAPv4QzxEeyj65Cnfcqi51uXtf1JrrM5Dc6imgWpJSrx_',
].join('')

const keyText = [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDIHgRc_tE-l9qEmqp73l6lMXjPqlw4N_s-YuiO',
  'y8k82hRANCAARXun9BS1xDp6HatButM_d7juulgkPAyrNmPEkyvEc-EM6FS91_gg4J3pMgWEJhtKfDxxxMneBa',
  'gj8EFiAKUfL9',
].join('')

const key = createPrivateKey({
  key: Buffer.from(keyText, 'base64url'),
  format: 'der',
  type: 'pkcs8',
})

/** DER, good for a hundred years. */
export const makersCertificate: Uint8Array = Buffer.from(certificateText, 'base64url')

export const signAsMaker = (data: Uint8Array): Buffer => sign('sha256', data, key)
