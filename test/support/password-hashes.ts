/**
 * Password hashes that other servers made: out of their exports, or out of the tests and documents of
 * their projects. Each names the password.
 */

interface MadeElsewhere {
  readonly from: string
  readonly password: string
  readonly given: unknown
  /** What it is stored as. */
  readonly stored: string
}

const credential = (value: string, salt: string, data: object) => ({
  secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
  credentialData: JSON.stringify(data),
})

/** What the console of a Firebase project shows, as its SDKs call it. */
const firebaseParameters = {
  signerKey:
    'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memoryCost: 14,
} as const

export const firebaseHash = {
  passwordHash:
    'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC+ixf3L2lw==',
} as const

export const hashesFromElsewhere: readonly MadeElsewhere[] = [
  {
    from: 'Keycloak, PBKDF2 with 64 bytes',
    password: 'password',
    given: credential(
      'CcUPIHRG9VUXFVY2LSdjOf/pkzZtWsptv5+LTHv5fqWpzVcTpzb5dNbDnvskj2ADUlvcjk5DcYSaIpjXVcHGWQ==',
      'cetThH5e6LZmwEoEnJsryw==',
      { hashIterations: 27500, algorithm: 'pbkdf2-sha256', additionalParameters: {} },
    ),
    stored:
      '$pbkdf2-sha256$i=27500,l=64$cetThH5e6LZmwEoEnJsryw$CcUPIHRG9VUXFVY2LSdjOf/pkzZtWsptv5+LTHv5fqWpzVcTpzb5dNbDnvskj2ADUlvcjk5DcYSaIpjXVcHGWQ',
  },
  {
    from: 'Keycloak, argon2',
    password: 'password',
    given: credential('BruFLfFkjH/8erZ26NnrbkOrWiZuQyDRCHD9o0R6Scg=', 'Cf9AYCE5pAbb4CKEF0GUTA==', {
      hashIterations: 5,
      algorithm: 'argon2',
      additionalParameters: {
        hashLength: ['32'],
        memory: ['7168'],
        type: ['id'],
        version: ['1.3'],
        parallelism: ['1'],
      },
    }),
    stored:
      '$argon2id$v=19$m=7168,t=5,p=1$Cf9AYCE5pAbb4CKEF0GUTA$BruFLfFkjH/8erZ26NnrbkOrWiZuQyDRCHD9o0R6Scg',
  },
  {
    from: 'Auth0, bcrypt',
    password: 'U*U',
    given: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    stored: '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  },
  {
    from: 'Firebase',
    password: 'user1password',
    given: { ...firebaseHash, ...firebaseParameters },
    stored:
      '$firebase-scrypt$ln=14,r=8,p=1$42xEC+ixf3L2lwc$GjH2+Jz+dglLj5NuFkZHgBvZnv8Z8VZE5sdIgEAbIgeXy+ZfSpJLu1A++pZcpx0OhX41mDwvu2Olmp+PnfLfyQ',
  },
  {
    from: 'Django, PBKDF2',
    password: 'lètmein',
    given: 'pbkdf2_sha256$600000$seasalt$OAXyhAQ/4ZDA9V5RMExt3C1OwQdUpLZ99vm1McFlLRA=',
    stored: '$pbkdf2-sha256$i=600000,l=32$c2Vhc2FsdA$OAXyhAQ/4ZDA9V5RMExt3C1OwQdUpLZ99vm1McFlLRA',
  },
  {
    from: 'Django, scrypt',
    password: 'lètmein',
    given:
      'scrypt$16384$seasalt$8$5$ECMIUp+LMxMSK8xB/IVyba+KYGTI7FTnet025q/1f/vBAVnnP3hdYqJuRi+mJn6ji6ze3Fbb7JEFPKGpuEf5vw==',
    stored:
      '$scrypt$ln=14,r=8,p=5$c2Vhc2FsdA$ECMIUp+LMxMSK8xB/IVyba+KYGTI7FTnet025q/1f/vBAVnnP3hdYqJuRi+mJn6ji6ze3Fbb7JEFPKGpuEf5vw',
  },
  {
    from: 'Django, bcrypt of a digest',
    password: 'password',
    given: 'bcrypt_sha256$$2b$12$VADBCPlCt0wMa2zjUgaXl.jnrvoNt/kgjtRY7i./fo0V2IEp1l6f2',
    stored: '$django-bcrypt-sha256$2b$12$VADBCPlCt0wMa2zjUgaXl.jnrvoNt/kgjtRY7i./fo0V2IEp1l6f2',
  },
  {
    from: 'Django, argon2',
    password: 'password',
    given:
      'argon2$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
    stored: '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
  },
  {
    from: 'LDAP, PBKDF2 with SHA-1',
    password: 'apple123',
    given: '{PBKDF2}10000$uPfpfTXP3NX9tQ0a/p5VaQ$Ag4JdbL6t05DuprdvlkEQsrWo4k',
    stored: '$pbkdf2-sha1$i=10000,l=20$uPfpfTXP3NX9tQ0a/p5VaQ$Ag4JdbL6t05DuprdvlkEQsrWo4k',
  },
  {
    from: 'LDAP, PBKDF2 with SHA-256',
    password: 'password',
    given:
      '{PBKDF2-SHA256}10000$henZGfPWw79Cs8ORDeVNrQ$1dTJy73v6n3bnTmTZFghxHXHLsAzKaAy8SksDfZBPIw',
    stored:
      '$pbkdf2-sha256$i=10000,l=32$henZGfPWw79Cs8ORDeVNrQ$1dTJy73v6n3bnTmTZFghxHXHLsAzKaAy8SksDfZBPIw',
  },
  {
    from: 'LDAP, PBKDF2 with SHA-512, where a dot stands for a plus',
    password: 'password',
    given:
      '{PBKDF2-SHA512}10000$Je1Uw19Bfv5lArzZ6V3EPw$g4T/1sqBUYWl9o93MVnyQ/8zKGSkPbKaXXsT8WmysXQJhWy8MRP2JFudSL.N9RklQYgDPxPjnfum/F2f/TrppA',
    stored:
      '$pbkdf2-sha512$i=10000,l=64$Je1Uw19Bfv5lArzZ6V3EPw$g4T/1sqBUYWl9o93MVnyQ/8zKGSkPbKaXXsT8WmysXQJhWy8MRP2JFudSL+N9RklQYgDPxPjnfum/F2f/TrppA',
  },
  {
    from: 'LDAP, argon2',
    password: 'password',
    given:
      '{ARGON2}$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    stored:
      '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  },
  {
    from: 'LDAP, bcrypt',
    password: 'U*U',
    given: '{CRYPT}$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    stored: '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  },
  {
    from: 'the first version of argon2, which is not named',
    password: 'password',
    given: '$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ',
    stored: '$argon2i$v=16$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ',
  },
]
