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
