// A Slack app on @slack/bolt, at the Slack whose address its argument has (JSON): {api, site, mode, token, secret, appToken, clientId,
// clientSecret}. mode is http, socket or oauth. It prints a line of JSON for all that it does, the first with where it listens, and ends
// with its standard input.
//
//   a mention      is answered in its thread with a button
//   the button     opens a form
//   the form       is refused if the name is "wrong"; else the message is changed and its person is thanked, for them alone
//   "done"         replaces its message by response_url
//   "calls"        said to it in a direct message: it uses the methods of the Web API and prints what they returned

import { createRequire } from 'node:module';

const { App, LogLevel } = createRequire(import.meta.url)('@slack/bolt');
const options = JSON.parse(process.argv[2]);
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const installations = new Map();

const common = {
  logLevel: LogLevel.ERROR,
  clientOptions: { slackApiUrl: options.api, retryConfig: { retries: 2 } },
};
const modes = {
  http: { token: options.token, signingSecret: options.secret },
  socket: { token: options.token, appToken: options.appToken, socketMode: true },
  oauth: {
    signingSecret: options.secret, clientId: options.clientId, clientSecret: options.clientSecret, stateSecret: 'a state secret',
    scopes: ['chat:write', 'app_mentions:read'],
    installerOptions: { directInstall: true, authorizationUrl: `${options.site}/oauth/v2/authorize`, clientOptions: { slackApiUrl: options.api } },
    installationStore: {
      storeInstallation: async (i) => {
        installations.set(i.team.id, i);
        print({ installed: i.team.id, scopes: i.bot.scopes, rotates: Boolean(i.bot.refreshToken), by: i.user.id });
      },
      fetchInstallation: async (q) => installations.get(q.teamId),
      deleteInstallation: async (q) => void installations.delete(q.teamId),
    },
  },
};
const app = new App({ ...common, ...modes[options.mode] });
app.error(async (e) => print({ error: e.message, code: e.original?.data?.error ?? e.data?.error }));

const words = (text) => ({ type: 'plain_text', text });
const form = (question) => ({
  type: 'modal', callback_id: 'form', title: words('A form'), submit: words('Send'), private_metadata: question,
  blocks: [
    { type: 'input', block_id: 'name', label: words('Name'), element: { type: 'plain_text_input', action_id: 'value' } },
    {
      type: 'input', block_id: 'size', optional: true, label: words('Size'),
      element: { type: 'static_select', action_id: 'value', options: [{ text: words('Small'), value: 's' }, { text: words('Large'), value: 'l' }] },
    },
  ],
});

app.event('app_mention', async ({ event, say, context, body }) => {
  print({ mention: event.text, retry: context.retryNum ?? 0, team: body.team_id });
  await say({
    text: 'A question', thread_ts: event.ts,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: '*Shall it?*' } },
      {
        type: 'actions', block_id: 'choice',
        elements: [
          { type: 'button', action_id: 'open', text: words('Fill in'), value: event.ts },
          { type: 'button', action_id: 'done', text: words('Done') },
        ],
      },
    ],
  });
});

app.action('open', async ({ ack, body, action, client }) => {
  await ack();
  const metadata = JSON.stringify({ channel: body.channel.id, ts: body.message.ts, question: action.value });
  const opened = await client.views.open({ trigger_id: body.trigger_id, view: form(metadata) });
  print({ opened: opened.view.id, user: body.user.id });
});

app.action('done', async ({ ack, respond }) => {
  await ack();
  await respond({ replace_original: true, text: 'It is done.' });
});

app.view('form', async ({ ack, view, body, client }) => {
  const name = view.state.values.name.value.value;
  if (name === 'wrong') {
    await ack({ response_action: 'errors', errors: { name: 'Not this one.' } });
    return;
  }
  await ack();
  const { channel, ts } = JSON.parse(view.private_metadata);
  const size = view.state.values.size.value.selected_option?.value;
  await client.chat.update({ channel, ts, text: `${name} ${size}`, blocks: [] });
  await client.chat.postEphemeral({ channel, user: body.user.id, text: 'Thanks.' });
});

app.event('app_uninstalled', async ({ context }) => print({ uninstalled: context.teamId }));
app.event('tokens_revoked', async () => {});

app.message('calls', async ({ message, client }) => {
  const failed = async (call) => { try { await call; return 'no error'; } catch (e) { return { code: e.code, error: e.data?.error, messages: e.data?.response_metadata?.messages }; } };
  const channel = message.channel;
  const who = await client.auth.test();
  const sent = await client.chat.postMessage({ channel, text: 'one', metadata: { event_type: 'parley_question', event_payload: { id: 'q1' } } });
  const twice = await client.chat.postMessage({ channel, text: 'one', client_msg_id: 'the-same' });
  const same = await client.chat.postMessage({ channel, text: 'one', client_msg_id: 'the-same' });
  const reply = await client.chat.postMessage({ channel, text: 'two', thread_ts: sent.ts });
  const stream = client.chatStream({ channel, thread_ts: message.ts, buffer_size: 1 });
  await stream.append({ markdown_text: '**three** ' });
  await stream.append({ markdown_text: 'four' });
  await stream.stop();
  const history = await client.conversations.history({ channel, include_all_metadata: true });
  const replies = await client.conversations.replies({ channel, ts: sent.ts, include_all_metadata: true });
  await client.reactions.add({ channel, timestamp: message.ts, name: 'eyes' });
  const removed = await client.chat.delete({ channel, ts: reply.ts });
  print({
    calls: {
      team: who.team_id, scopes: who.response_metadata.scopes, same: twice.ts === same.ts,
      history: history.messages.map((m) => m.text), question: history.messages.find((m) => m.metadata)?.metadata.event_payload.id,
      replies: replies.messages.length, removed: removed.ok,
      dm: (await client.conversations.open({ users: message.user })).channel.id === channel,
      info: (await client.conversations.info({ channel })).channel.is_im,
      user: (await client.users.info({ user: message.user })).user.name,
      workspace: (await client.team.info()).team.name,
      lost: await failed(client.chat.postMessage({ channel: 'C404', text: 'x' })),
      blocks: await failed(client.chat.postMessage({ channel, text: 'x', blocks: [{ type: 'header', text: words('x'.repeat(151)) }] })),
      trigger: await failed(client.views.open({ trigger_id: '1.2.3', view: form('') })),
    },
  });
});

const server = await app.start(options.mode === 'socket' ? undefined : { port: 0, host: '127.0.0.1' });
print({ listening: options.mode === 'socket' ? '' : `http://127.0.0.1:${server.address().port}` });
process.stdin.on('end', () => process.exit(0)).resume();
