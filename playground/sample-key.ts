/** The key of the playground's clients. Everyone knows it, like the secrets of the demo. */
export const sampleKey = {
  kid: 'sample',
  algorithm: 'ES256',
  publicKey: {
    kty: 'EC',
    crv: 'P-256',
    x: 'pB2X5I9C6Lmaih3JR0ExCLf7YYQqjO6-xAbNSDNwj0s',
    y: 'jMQ2zFlJT4IHjgJCDhKUYWnoX0qh8Na4SftmajqGngw',
  },
  secret: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbHXnJdIrbVkqBa5m
eqXoljl/099B+n/bXNEdeIOUPAuhRANCAASkHZfkj0LouZqKHclHQTEIt/thhCqM
7r7EBs1IM3CPS4zENsxZSU+CB44CQg4SlGFp6F9KofDWuEn7Zmo6hp4M
-----END PRIVATE KEY-----
`,
} as const

/** Certificates that sign themselves: of the sample key, and of somebody else. DER in base64. */
export const sampleCertificates = {
  own:
    'MIIBIjCByaADAgECAgNAAAEwCgYIKoZIzj0EAwIwGjEYMBYGA1UEAwwPU2VhbGVkIEVudmVsb3BlMB4X' +
    'DTI2MDEwMTAwMDAwMFoXDTQ5MTIzMTIzNTk1OVowGjEYMBYGA1UEAwwPU2VhbGVkIEVudmVsb3BlMFkw' +
    'EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEpB2X5I9C6Lmaih3JR0ExCLf7YYQqjO6+xAbNSDNwj0uMxDbM' +
    'WUlPggeOAkIOEpRhaehfSqHw1rhJ+2ZqOoaeDDAKBggqhkjOPQQDAgNIADBFAiEA4+M++DvefSPGqHzz' +
    'rx5XDcb/gF4DnwJxJv7wE3zbuMoCIGVsX3/DWGTghtaFm6Fjkbpfjf/p/PpWAmWSLhtKJchz',
  other:
    'MIIBHjCBxaADAgECAgNAAAIwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNU29tZWJvZHkgRWxzZTAeFw0y' +
    'NjAxMDEwMDAwMDBaFw00OTEyMzEyMzU5NTlaMBgxFjAUBgNVBAMMDVNvbWVib2R5IEVsc2UwWTATBgcq' +
    'hkjOPQIBBggqhkjOPQMBBwNCAAR/pOq19t972wA+vVqZIZ9NEocviumnTL71fW392urjWLLYefJl3nNN' +
    'p4qN4YYZLYU1ctQ462lwbns9ynr5pSdBMAoGCCqGSM49BAMCA0gAMEUCIH5oEQOPwf5E1TpowDY5Dc17' +
    'QYggOXi70YK4xwh0qItYAiEAgrKaiVlbj6bee4NdoWoFJ94EHr4k7I+dpsSSsHv4OAg=',
} as const
