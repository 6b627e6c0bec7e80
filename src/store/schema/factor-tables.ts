/** The first tables of second factors, and what they changed in the table of sessions. */
import { passkeys } from './passkey-table.ts'

const oneTimeCodes = `create table one_time_codes (
  owner_id text not null primary key references owners (id) on delete cascade,
  secret text not null,
  last_step bigint not null,
  created_at bigint not null
)`

const recoveryCodes = `create table recovery_codes (
  owner_id text not null references owners (id) on delete cascade,
  code text not null,
  primary key (owner_id, code)
)`

const finishedCeremonies = `create table finished_ceremonies (
  id text not null primary key,
  expires_at bigint not null
)`

/** Until now there was nothing but passwords to log in with. */
export const secondFactors = [
  passkeys,
  oneTimeCodes,
  recoveryCodes,
  finishedCeremonies,
  'create index passkeys_by_owner on passkeys (owner_id, id)',
  'create index finished_ceremonies_by_end on finished_ceremonies (expires_at)',
  "alter table sessions add column methods text not null default 'pwd'",
  'alter table sessions add column confirmed_at bigint not null default 0',
]
