/** The doors of the package: each exported name is wanted, documented, and says its types by name. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { type Declarations, readDeclarations } from './declarations.ts'
import { root } from './source.ts'

/** All that programs outside may import. A change here is a change for all of them. */
const doors: Readonly<Record<string, { readonly file: string; readonly names: string }>> = {
  latchkey: {
    file: 'index.d.ts',
    names: `
      Action ApiPermission ClientPermission Clock Duration EmbedOptions EmbeddedServer EmbeddedService ErrorCode ExtensionApproval
      ExtensionClient ExtensionCredentials ExtensionGrant ExtensionMethod ExtensionOwner
      ExtensionRequest ExtensionResponseType ExtensionResult ExtensionServices Language LanguageFile Logo Notice
      LdapSettings LimitName Limits MetricsPlace MonitoringSettings WebhookSettings Oauth2Settings OidcSettings UpstreamCommon UpstreamSettings
      OwnClaims OwnWord OwnerId Parameters Permission Permissions PromptEffect PromptValue Refusal
      RefusalDetails RefusalNote RegistryFault Resource ScopeName ScopeWord SettingOrigin Settings SettingsFault Sources
      StoreFault StoreRefusal Tell Text createServer loadSettings startService`,
  },
  'latchkey/resource': {
    file: 'resource/index.d.ts',
    names:
      'AnswerAdmitted Guard Needs ProtectOptions RemoteAccess RouteTarget RouteWords TakeLine protect',
  },
  'latchkey/resource/express': {
    file: 'resource/express.d.ts',
    names: `
      ExpressGuard ExpressMiddleware ExpressRequest Needs NodeRequest NodeResponse ProtectOptions RemoteAccess
      RouteGuard RouteTarget RouteWords TakeLine protect`,
  },
  'latchkey/resource/fastify': {
    file: 'resource/fastify.d.ts',
    names:
      'FastifyGuard FastifyHook Needs ProtectOptions RemoteAccess RouteGuard RouteTarget RouteWords TakeLine protect',
  },
  'latchkey/resource/hono': {
    file: 'resource/hono.d.ts',
    names:
      'HonoGuard HonoMiddleware Needs ProtectOptions RemoteAccess RouteGuard RouteTarget RouteWords TakeLine protect',
  },
  'latchkey/resource/koa': {
    file: 'resource/koa.d.ts',
    names: `
      KoaContext KoaGuard KoaMiddleware Needs NodeRequest ProtectOptions RemoteAccess RouteGuard
      RouteTarget RouteWords TakeLine protect`,
  },
  'latchkey/resource/node': {
    file: 'resource/node.d.ts',
    names: `
      Needs NodeCheck NodeGuard NodeRequest NodeResponse ProtectOptions RemoteAccess RouteGuard
      RouteTarget RouteWords TakeLine protect`,
  },
  'latchkey/store': {
    file: 'store/index.d.ts',
    names: `
      AccountSteps Action Actor ActorFilter AllowedBy AdmittedAttempt Approval ApproveOutcome ApprovedFor AttemptCounter
      AttemptRule AuthenticationContext AuthenticationMethodReference Authorization AuthorizationId
      AuthorizationSteps
      BackchannelApproval BackchannelBounds BackchannelClient BackchannelPing BackchannelRedemption
      ApiPermission ScimChangeRule ScimGroup ScimGroupChange ScimGroupSteps ScimHindered ScimLookup ScimMembersChange ScimMembership ScimPage ScimSteps ScimUser ScimUserChange ScimUserNote ScimUserSteps
      FoundPage WordsDue CountedGroup StoredEvent StoredGroup GroupId GroupMember GroupSteps MembersChange MembersChanged Membership OwnerGroups OwnerGroupsSet
      BackchannelRequest BackchannelStarted BackchannelSteps BegunWait AccessSummary KeptAccess FeatureClient PingClaim ByOwner Ceremony Client ClientChange ClientDisplay ClientId ClientIdentity ClientKey ClientLogin
      CheckedRoles CheckedScope ClientBringer ClientFilter ClientKind ClientListFilter ClientLogo ClientOfOwner ClientOpenid ClientRaised BroughtAlong
      ClientSession ClientSteps Condition
      CreateResourceOutcome Detail DeviceAuthorization DeviceBounds DeviceSteps
      Digest DirectoryCheck DocumentCopy Duration EndedToken Event EventFilter EventId EventOrder EventSeal EventSteps
      ClientPermission
      ClaimedDelivery WebhookDelivery WebhookQueue WebhookSteps CountBatch CountKind CountSpan CountSteps CountedThing KeptCount
      EventType FactId FactSteps FactorAdded FactorSteps Factors Family FamilyId FamilySteps IdClaim
      FaultReason FeatureSteps FederatedCredential FeedHead GuessingSteps Holder Item ItemId ItemSteps JsonObject JsonValue
      SignalFacts SignalProgress SignalSteps SignalStream SignalStreamChange SignalVerification
      LeaverBound LeaverOutcome LeaverSteps LinkedPerson MissingPeople
      JwsAlgorithm KeptAct KeptDocument KeptRefusal KeptSecret KeptWait KeyAlgorithm KeySteps KeyUse LastSeal ListedAuthorization Login
      Delegation LivingToken
      AssertionRedeemed AssertionRedemption GrantKind IssuerAccess IssuerAccessOf IssuerChange IssuerSteps
      ListedIssuerAccess StoredIssuer TrustedIssuer
      LoginConfirmation LoginOutcome LogoutNotice LogoutSteps MailId MailKind MailQueue MailSteps
      LinkMaker NetworkBound NewUpstreamLink NotedUse NoticeClaim OldSecret OneTimeCodes OwnChange OwnWord Owner OwnerChange
      OwnerClaims OwnerId OwnerPicture OwnerFilter OwnerSteps Page PageChoices Passkey PasskeyId Pause
      Permission Permissions PictureSteps PictureType PolledRedeemed PolledRedemption PolledRequest Profile Proof Proven PublicKey PutItem PutItemOutcome
      QueuedMail ReceivedValue Redeemed Redemption RefusalBounds RefusalFilter RefusalSteps RegisterOutcome RemovalSteps RegistrationQuota Requester RequesterChange
      Resource ResourceChange ResourceSteps Retention Revocation RevocationSteps RevokedSubject
      Rewrapping RolesGiven Rotated Rotation ScopeName ScopeWord SealSteps SecurityProfile SeenWorkers Session SessionHandle SessionId SessionSteps
      SigningAlgorithm Standing StartedFamily Store StoreFault StoreGauges StoreRecords StoreRefusal StoredKey
      Trace UpstreamAccount UpstreamLink UpstreamLinked UpstreamSteps Use UsedId UseAction UseBatch UseDay
      UseSteps Used UsedFactor UsedLink UsedPasskey UsesOf WayIn WrappedCodes WrappedSecrets approvedAfter clientBringers clientKinds contextOf
      dayOf describeRequester firstIdAt getBringer getClientKind holderOfOwner holdsFor idBefore isOnItsOwn listWords ownerStates
      requesterChange
      storeLimits usernameKey`,
  },
}

/** Types that a signature names and no door exports, each with its reason. */
const hidden: Readonly<Record<string, string>> = {
  Explanation: 'only the service writes explanations, for its own pages',
}

const namesOf = (names: string): readonly string[] => names.trim().split(/\s+/).sort()

/** The faults of some doors: undocumented names, and types without an exported name. */
const faultsOf = (declarations: Declarations, files: readonly string[]): readonly string[] => {
  const exported = files.map((file) => declarations.exportsOf(file))
  const known = new Set(exported.flatMap((door) => [...door.values()]))
  return exported.flatMap((door, i) => [
    ...[...door]
      .filter(([, { docstring }]) => docstring === '')
      .map(([name, { path }]) => `${name} of ${path} has no docstring`),
    ...declarations
      .namedBy(door.values())
      .filter((type) => !known.has(type) && !(type.name in hidden))
      .map(({ name, path }) => `${files[i]} names ${name} of ${path}, which no door exports`),
  ])
}

/**
 * The tests of the doors. The package brings its declarations along, so nobody compiles them again.
 *
 * @param folder the declarations of the package, there before the tests begin
 * @param place an empty folder for the tests
 */
export const checkDoors = (folder: string, place: string): void => {
  describe('the doors', () => {
    let declarations: Declarations
    before(() => {
      declarations = readDeclarations(folder)
    })

    for (const [door, { file, names }] of Object.entries(doors)) {
      it(`${door} exports what it promises and nothing else`, () => {
        assert.deepEqual([...declarations.exportsOf(file).keys()].sort(), namesOf(names))
      })
    }

    it('are those of package.json', () => {
      const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
        exports: Record<string, { types: string }>
      }
      const types = Object.entries(exports).map(([name, { types: path }]) => [
        name.replace('.', 'latchkey'),
        path.replace('./dist/', ''),
      ])
      const promised = Object.entries(doors).map(([door, { file }]) => [door, file])
      assert.deepEqual(types, [...promised, ['latchkey/store/contract', 'store/contract.d.ts']])
    })

    it('document each name, and export each type that their signatures name', () => {
      const files = Object.values(doors).map(({ file }) => file)
      assert.deepEqual(faultsOf(declarations, files), [])
    })

    it('hide nothing that no signature names', () => {
      const all = Object.values(doors).flatMap(({ file }) => [
        ...declarations.exportsOf(file).values(),
      ])
      const named = new Set(declarations.namedBy(all).map(({ name }) => name))
      assert.deepEqual(
        Object.keys(hidden).filter((name) => !named.has(name)),
        [],
      )
    })

    it('would find what is undocumented or cannot be named', () => {
      const planted = join(place, 'planted')
      mkdirSync(join(planted, 'inner'), { recursive: true })
      writeFileSync(
        join(planted, 'index.d.ts'),
        "export { open as start, type Said } from './inner/a.ts';\n/** Fine. */\nexport type Fine = string;\n",
      )
      writeFileSync(
        join(planted, 'inner/a.d.ts'),
        [
          "import type { Deep as D, Fine } from '../inner/b.ts';",
          'interface Local {\n    /** Text. */\n    readonly deep: D;\n}',
          "/** Opens. */\nexport declare const open: (given: Local) => Promise<'Quoted'>;",
          'export interface Said {\n    readonly said: string;\n}',
          'export {};\n',
        ].join('\n'),
      )
      writeFileSync(join(planted, 'inner/b.d.ts'), 'export interface Deep {\n}\n')
      const found = readDeclarations(planted)
      assert.deepEqual([...found.exportsOf('index.d.ts').keys()].sort(), ['Fine', 'Said', 'start'])
      assert.deepEqual(faultsOf(found, ['index.d.ts']), [
        'Said of inner/a.d.ts has no docstring',
        'index.d.ts names Deep of inner/b.d.ts, which no door exports',
      ])
    })
  })
}
