// Shows what `/v1/ui/session` says: who the browser is here, and what it may do.

const session = document.getElementById('session');

/** Fills the page with a copy of a template; `fill` gets its slots by name. */
function show(name, fill) {
  const content = document.getElementById(name).content.cloneNode(true);
  const slots = {};
  for (const element of content.querySelectorAll('[data-slot]')) {
    slots[element.dataset.slot] = element;
  }
  fill(slots);
  session.replaceChildren(content);
  session.setAttribute('aria-busy', 'false');
}

function describeLayers({ layer_capabilities }) {
  return layer_capabilities.manage_any_layer
    ? 'You may manage every layer.'
    : 'You may manage layers of your own.';
}

function showSignedIn(posture) {
  const { subject, email, browser_auth } = posture;
  show('signed-in', (slots) => {
    slots.initial.textContent = [...(email ?? subject)][0].toUpperCase();
    slots.subject.textContent = subject;
    if (email === undefined || email === subject) slots.email.remove();
    else slots.email.textContent = email;
    slots.layers.textContent = describeLayers(posture);
    // Without a browser session there is nothing here to sign out of.
    if (browser_auth.enabled) slots['sign-out'].action = browser_auth.sign_out_path;
    else slots['sign-out'].remove();
  });
}

function showSignedOut({ browser_auth }) {
  show('signed-out', (slots) => {
    if (browser_auth.enabled) {
      slots['sign-in'].href = browser_auth.sign_in_path;
      return;
    }
    slots.hint.textContent =
      'This page signs nobody in. Open it through the proxy of your organization if there is one; on the command line, use catalog login.';
    slots.actions.remove();
  });
}

function showOpen(posture) {
  show('open', (slots) => {
    slots.mode.textContent = posture.public_mode ? 'Public registry' : 'Open registry';
    slots.hint.textContent = posture.public_mode
      ? 'Everybody who reaches this registry is anonymous.'
      : 'This registry does not tell callers apart: whoever reaches it may use it.';
    slots.layers.textContent = describeLayers(posture);
  });
}

function showFailed(reason) {
  show('failed', (slots) => {
    slots.hint.textContent = reason;
    slots.again.addEventListener('click', load);
  });
  session.querySelector('button').focus();
}

async function load() {
  session.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch('/v1/ui/session', { cache: 'no-store' });
    const answer = await response.json();
    if (!response.ok) showFailed(answer.message);
    else if (answer.subject !== undefined) showSignedIn(answer);
    else if (answer.identity_provider_configured && !answer.public_mode) showSignedOut(answer);
    else showOpen(answer);
  } catch {
    showFailed('It may be starting, or the network may be away. Try again in a moment.');
  }
}

// A page that a browser kept and shows again may be about somebody who has signed out since.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void load();
});

await load();
