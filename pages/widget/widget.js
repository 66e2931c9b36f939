var de=globalThis,le=de.ShadowRoot&&(de.ShadyCSS===void 0||de.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,He=Symbol(),vt=new WeakMap,K=class{constructor(e,t,i){if(this._$cssResult$=!0,i!==He)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(le&&e===void 0){let i=t!==void 0&&t.length===1;i&&(e=vt.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),i&&vt.set(t,e))}return e}toString(){return this.cssText}},yt=n=>new K(typeof n=="string"?n:n+"",void 0,He),M=(n,...e)=>{let t=n.length===1?n[0]:e.reduce((i,s,r)=>i+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+n[r+1],n[0]);return new K(t,n,He)},$t=(n,e)=>{if(le)n.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let i=document.createElement("style"),s=de.litNonce;s!==void 0&&i.setAttribute("nonce",s),i.textContent=t.cssText,n.appendChild(i)}},De=le?n=>n:n=>n instanceof CSSStyleSheet?(e=>{let t="";for(let i of e.cssRules)t+=i.cssText;return yt(t)})(n):n;var{is:_n,defineProperty:An,getOwnPropertyDescriptor:Tn,getOwnPropertyNames:En,getOwnPropertySymbols:Sn,getPrototypeOf:Cn}=Object,ce=globalThis,kt=ce.trustedTypes,Rn=kt?kt.emptyScript:"",Mn=ce.reactiveElementPolyfillSupport,G=(n,e)=>n,je={toAttribute(n,e){switch(e){case Boolean:n=n?Rn:null;break;case Object:case Array:n=n==null?n:JSON.stringify(n)}return n},fromAttribute(n,e){let t=n;switch(e){case Boolean:t=n!==null;break;case Number:t=n===null?null:Number(n);break;case Object:case Array:try{t=JSON.parse(n)}catch{t=null}}return t}},wt=(n,e)=>!_n(n,e),xt={attribute:!0,type:String,converter:je,reflect:!1,useDefault:!1,hasChanged:wt};Symbol.metadata??=Symbol("metadata"),ce.litPropertyMetadata??=new WeakMap;var E=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=xt){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let i=Symbol(),s=this.getPropertyDescriptor(e,i,t);s!==void 0&&An(this.prototype,e,s)}}static getPropertyDescriptor(e,t,i){let{get:s,set:r}=Tn(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:s,set(o){let d=s?.call(this);r?.call(this,o),this.requestUpdate(e,d,i)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??xt}static _$Ei(){if(this.hasOwnProperty(G("elementProperties")))return;let e=Cn(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(G("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(G("properties"))){let t=this.properties,i=[...En(t),...Sn(t)];for(let s of i)this.createProperty(s,t[s])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[i,s]of t)this.elementProperties.set(i,s)}this._$Eh=new Map;for(let[t,i]of this.elementProperties){let s=this._$Eu(t,i);s!==void 0&&this._$Eh.set(s,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let i=new Set(e.flat(1/0).reverse());for(let s of i)t.unshift(De(s))}else e!==void 0&&t.push(De(e));return t}static _$Eu(e,t){let i=t.attribute;return i===!1?void 0:typeof i=="string"?i:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let i of t.keys())this.hasOwnProperty(i)&&(e.set(i,this[i]),delete this[i]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return $t(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,i){this._$AK(e,i)}_$ET(e,t){let i=this.constructor.elementProperties.get(e),s=this.constructor._$Eu(e,i);if(s!==void 0&&i.reflect===!0){let r=(i.converter?.toAttribute!==void 0?i.converter:je).toAttribute(t,i.type);this._$Em=e,r==null?this.removeAttribute(s):this.setAttribute(s,r),this._$Em=null}}_$AK(e,t){let i=this.constructor,s=i._$Eh.get(e);if(s!==void 0&&this._$Em!==s){let r=i.getPropertyOptions(s),o=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:je;this._$Em=s;let d=o.fromAttribute(t,r.type);this[s]=d??this._$Ej?.get(s)??d,this._$Em=null}}requestUpdate(e,t,i,s=!1,r){if(e!==void 0){let o=this.constructor;if(s===!1&&(r=this[e]),i??=o.getPropertyOptions(e),!((i.hasChanged??wt)(r,t)||i.useDefault&&i.reflect&&r===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,i))))return;this.C(e,t,i)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:i,reflect:s,wrapped:r},o){i&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),r!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||i||(t=void 0),this._$AL.set(e,t)),s===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[s,r]of this._$Ep)this[s]=r;this._$Ep=void 0}let i=this.constructor.elementProperties;if(i.size>0)for(let[s,r]of i){let{wrapped:o}=r,d=this[s];o!==!0||this._$AL.has(s)||d===void 0||this.C(s,void 0,r,d)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(i=>i.hostUpdate?.()),this.update(t)):this._$EM()}catch(i){throw e=!1,this._$EM(),i}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};E.elementStyles=[],E.shadowRootOptions={mode:"open"},E[G("elementProperties")]=new Map,E[G("finalized")]=new Map,Mn?.({ReactiveElement:E}),(ce.reactiveElementVersions??=[]).push("2.1.2");var We=globalThis,_t=n=>n,ue=We.trustedTypes,At=ue?ue.createPolicy("lit-html",{createHTML:n=>n}):void 0,Be="$lit$",S=`lit$${Math.random().toFixed(9).slice(2)}$`,Ve="?"+S,qn=`<${Ve}>`,z=document,X=()=>z.createComment(""),ee=n=>n===null||typeof n!="object"&&typeof n!="function",Qe=Array.isArray,Mt=n=>Qe(n)||typeof n?.[Symbol.iterator]=="function",Fe=`[ 	
\f\r]`,Z=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Tt=/-->/g,Et=/>/g,I=RegExp(`>|${Fe}(?:([^\\s"'>=/]+)(${Fe}*=${Fe}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),St=/'/g,Ct=/"/g,qt=/^(?:script|style|textarea|title)$/i,Je=n=>(e,...t)=>({_$litType$:n,strings:e,values:t}),a=Je(1),k=Je(2),Wi=Je(3),$=Symbol.for("lit-noChange"),c=Symbol.for("lit-nothing"),Rt=new WeakMap,L=z.createTreeWalker(z,129);function Pt(n,e){if(!Qe(n)||!n.hasOwnProperty("raw"))throw Error("invalid template strings array");return At!==void 0?At.createHTML(e):e}var It=(n,e)=>{let t=n.length-1,i=[],s,r=e===2?"<svg>":e===3?"<math>":"",o=Z;for(let d=0;d<t;d++){let l=n[d],h,v,p=-1,g=0;for(;g<l.length&&(o.lastIndex=g,v=o.exec(l),v!==null);)g=o.lastIndex,o===Z?v[1]==="!--"?o=Tt:v[1]!==void 0?o=Et:v[2]!==void 0?(qt.test(v[2])&&(s=RegExp("</"+v[2],"g")),o=I):v[3]!==void 0&&(o=I):o===I?v[0]===">"?(o=s??Z,p=-1):v[1]===void 0?p=-2:(p=o.lastIndex-v[2].length,h=v[1],o=v[3]===void 0?I:v[3]==='"'?Ct:St):o===Ct||o===St?o=I:o===Tt||o===Et?o=Z:(o=I,s=void 0);let f=o===I&&n[d+1].startsWith("/>")?" ":"";r+=o===Z?l+qn:p>=0?(i.push(h),l.slice(0,p)+Be+l.slice(p)+S+f):l+S+(p===-2?d:f)}return[Pt(n,r+(n[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),i]},te=class n{constructor({strings:e,_$litType$:t},i){let s;this.parts=[];let r=0,o=0,d=e.length-1,l=this.parts,[h,v]=It(e,t);if(this.el=n.createElement(h,i),L.currentNode=this.el.content,t===2||t===3){let p=this.el.content.firstChild;p.replaceWith(...p.childNodes)}for(;(s=L.nextNode())!==null&&l.length<d;){if(s.nodeType===1){if(s.hasAttributes())for(let p of s.getAttributeNames())if(p.endsWith(Be)){let g=v[o++],f=s.getAttribute(p).split(S),y=/([.?@])?(.*)/.exec(g);l.push({type:1,index:r,name:y[2],strings:f,ctor:y[1]==="."?pe:y[1]==="?"?fe:y[1]==="@"?me:U}),s.removeAttribute(p)}else p.startsWith(S)&&(l.push({type:6,index:r}),s.removeAttribute(p));if(qt.test(s.tagName)){let p=s.textContent.split(S),g=p.length-1;if(g>0){s.textContent=ue?ue.emptyScript:"";for(let f=0;f<g;f++)s.append(p[f],X()),L.nextNode(),l.push({type:2,index:++r});s.append(p[g],X())}}}else if(s.nodeType===8)if(s.data===Ve)l.push({type:2,index:r});else{let p=-1;for(;(p=s.data.indexOf(S,p+1))!==-1;)l.push({type:7,index:r}),p+=S.length-1}r++}}static createElement(e,t){let i=z.createElement("template");return i.innerHTML=e,i}};function O(n,e,t=n,i){if(e===$)return e;let s=i!==void 0?t._$Co?.[i]:t._$Cl,r=ee(e)?void 0:e._$litDirective$;return s?.constructor!==r&&(s?._$AO?.(!1),r===void 0?s=void 0:(s=new r(n),s._$AT(n,t,i)),i!==void 0?(t._$Co??=[])[i]=s:t._$Cl=s),s!==void 0&&(e=O(n,s._$AS(n,e.values),s,i)),e}var he=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:i}=this._$AD,s=(e?.creationScope??z).importNode(t,!0);L.currentNode=s;let r=L.nextNode(),o=0,d=0,l=i[0];for(;l!==void 0;){if(o===l.index){let h;l.type===2?h=new W(r,r.nextSibling,this,e):l.type===1?h=new l.ctor(r,l.name,l.strings,this,e):l.type===6&&(h=new ge(r,this,e)),this._$AV.push(h),l=i[++d]}o!==l?.index&&(r=L.nextNode(),o++)}return L.currentNode=z,s}p(e){let t=0;for(let i of this._$AV)i!==void 0&&(i.strings!==void 0?(i._$AI(e,i,t),t+=i.strings.length-2):i._$AI(e[t])),t++}},W=class n{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,i,s){this.type=2,this._$AH=c,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=i,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=O(this,e,t),ee(e)?e===c||e==null||e===""?(this._$AH!==c&&this._$AR(),this._$AH=c):e!==this._$AH&&e!==$&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Mt(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==c&&ee(this._$AH)?this._$AA.nextSibling.data=e:this.T(z.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:i}=e,s=typeof i=="number"?this._$AC(e):(i.el===void 0&&(i.el=te.createElement(Pt(i.h,i.h[0]),this.options)),i);if(this._$AH?._$AD===s)this._$AH.p(t);else{let r=new he(s,this),o=r.u(this.options);r.p(t),this.T(o),this._$AH=r}}_$AC(e){let t=Rt.get(e.strings);return t===void 0&&Rt.set(e.strings,t=new te(e)),t}k(e){Qe(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,i,s=0;for(let r of e)s===t.length?t.push(i=new n(this.O(X()),this.O(X()),this,this.options)):i=t[s],i._$AI(r),s++;s<t.length&&(this._$AR(i&&i._$AB.nextSibling,s),t.length=s)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let i=_t(e).nextSibling;_t(e).remove(),e=i}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},U=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,i,s,r){this.type=1,this._$AH=c,this._$AN=void 0,this.element=e,this.name=t,this._$AM=s,this.options=r,i.length>2||i[0]!==""||i[1]!==""?(this._$AH=Array(i.length-1).fill(new String),this.strings=i):this._$AH=c}_$AI(e,t=this,i,s){let r=this.strings,o=!1;if(r===void 0)e=O(this,e,t,0),o=!ee(e)||e!==this._$AH&&e!==$,o&&(this._$AH=e);else{let d=e,l,h;for(e=r[0],l=0;l<r.length-1;l++)h=O(this,d[i+l],t,l),h===$&&(h=this._$AH[l]),o||=!ee(h)||h!==this._$AH[l],h===c?e=c:e!==c&&(e+=(h??"")+r[l+1]),this._$AH[l]=h}o&&!s&&this.j(e)}j(e){e===c?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},pe=class extends U{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===c?void 0:e}},fe=class extends U{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==c)}},me=class extends U{constructor(e,t,i,s,r){super(e,t,i,s,r),this.type=5}_$AI(e,t=this){if((e=O(this,e,t,0)??c)===$)return;let i=this._$AH,s=e===c&&i!==c||e.capture!==i.capture||e.once!==i.once||e.passive!==i.passive,r=e!==c&&(i===c||s);s&&this.element.removeEventListener(this.name,this,i),r&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},ge=class{constructor(e,t,i){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=i}get _$AU(){return this._$AM._$AU}_$AI(e){O(this,e)}},Lt={M:Be,P:S,A:Ve,C:1,L:It,R:he,D:Mt,V:O,I:W,H:U,N:fe,U:me,B:pe,F:ge},Pn=We.litHtmlPolyfillSupport;Pn?.(te,W),(We.litHtmlVersions??=[]).push("3.3.3");var zt=(n,e,t)=>{let i=t?.renderBefore??e,s=i._$litPart$;if(s===void 0){let r=t?.renderBefore??null;i._$litPart$=s=new W(e.insertBefore(X(),r),r,void 0,t??{})}return s._$AI(n),s};var Ye=globalThis,_=class extends E{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=zt(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return $}};_._$litElement$=!0,_.finalized=!0,Ye.litElementHydrateSupport?.({LitElement:_});var In=Ye.litElementPolyfillSupport;In?.({LitElement:_});(Ye.litElementVersions??=[]).push("4.2.2");var C={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},B=n=>(...e)=>({_$litDirective$:n,values:e}),q=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,i){this._$Ct=e,this._$AM=t,this._$Ci=i}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:Ln}=Lt,Ot=n=>n;var Nt=n=>n.strings===void 0,Ut=()=>document.createComment(""),V=(n,e,t)=>{let i=n._$AA.parentNode,s=e===void 0?n._$AB:e._$AA;if(t===void 0){let r=i.insertBefore(Ut(),s),o=i.insertBefore(Ut(),s);t=new Ln(r,o,n,n.options)}else{let r=t._$AB.nextSibling,o=t._$AM,d=o!==n;if(d){let l;t._$AQ?.(n),t._$AM=n,t._$AP!==void 0&&(l=n._$AU)!==o._$AU&&t._$AP(l)}if(r!==s||d){let l=t._$AA;for(;l!==r;){let h=Ot(l).nextSibling;Ot(i).insertBefore(l,s),l=h}}}return t},P=(n,e,t=n)=>(n._$AI(e,t),n),zn={},be=(n,e=zn)=>n._$AH=e,Ht=n=>n._$AH,ve=n=>{n._$AR(),n._$AA.remove()};var R=B(class extends q{constructor(n){if(super(n),n.type!==C.PROPERTY&&n.type!==C.ATTRIBUTE&&n.type!==C.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Nt(n))throw Error("`live` bindings can only contain a single expression")}render(n){return n}update(n,[e]){if(e===$||e===c)return e;let t=n.element,i=n.name;if(n.type===C.PROPERTY){if(e===t[i])return $}else if(n.type===C.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(i))return $}else if(n.type===C.ATTRIBUTE&&t.getAttribute(i)===e+"")return $;return be(n),e}});var Dt=(n,e,t)=>{let i=new Map;for(let s=e;s<=t;s++)i.set(n[s],s);return i},ye=B(class extends q{constructor(n){if(super(n),n.type!==C.CHILD)throw Error("repeat() can only be used in text expressions")}dt(n,e,t){let i;t===void 0?t=e:e!==void 0&&(i=e);let s=[],r=[],o=0;for(let d of n)s[o]=i?i(d,o):o,r[o]=t(d,o),o++;return{values:r,keys:s}}render(n,e,t){return this.dt(n,e,t).values}update(n,[e,t,i]){let s=Ht(n),{values:r,keys:o}=this.dt(e,t,i);if(!Array.isArray(s))return this.ut=o,r;let d=this.ut??=[],l=[],h,v,p=0,g=s.length-1,f=0,y=r.length-1;for(;p<=g&&f<=y;)if(s[p]===null)p++;else if(s[g]===null)g--;else if(d[p]===o[f])l[f]=P(s[p],r[f]),p++,f++;else if(d[g]===o[y])l[y]=P(s[g],r[y]),g--,y--;else if(d[p]===o[y])l[y]=P(s[p],r[y]),V(n,l[y+1],s[p]),p++,y--;else if(d[g]===o[f])l[f]=P(s[g],r[f]),V(n,s[p],s[g]),g--,f++;else if(h===void 0&&(h=Dt(o,f,y),v=Dt(d,p,g)),h.has(d[p]))if(h.has(d[g])){let T=v.get(o[f]),Ne=T!==void 0?s[T]:null;if(Ne===null){let bt=V(n,s[p]);P(bt,r[f]),l[f]=bt}else l[f]=P(Ne,r[f]),V(n,s[p],Ne),s[T]=null;f++}else ve(s[g]),g--;else ve(s[p]),p++;for(;f<=y;){let T=V(n,l[y+1]);P(T,r[f]),l[f++]=T}for(;p<=g;){let T=s[p++];T!==null&&ve(T)}return this.ut=o,be(n,l),$}});function H(n){try{return JSON.parse(n)}catch{return}}function b(n){return typeof n=="object"&&n!==null&&!Array.isArray(n)?n:void 0}function A(n){return Array.isArray(n)?n:[]}function u(n){return typeof n=="string"?n:void 0}function $e(n){if(H(n)===void 0)return N(n);let e="",t=0,i=()=>`
`+"  ".repeat(t);for(let s of n.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(s){case"{":case"[":t++,e+=s+i();break;case"}":case"]":t--,e=/[{[]\s*$/.test(e)?e.trimEnd()+s:e+i()+s;break;case",":e+=s+i();break;case":":e+=": ";break;default:e+=N(s)}return e}function jt(n){if(typeof n=="string")return H(n)===void 0?N(n):$e(n);let e=JSON.stringify(n);return e===void 0?"":$e(e)}var On=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|\udb40[\udc00-\udfff]/g;function N(n){return n.replace(On,e=>Array.from({length:e.length},(t,i)=>"\\u"+e.charCodeAt(i).toString(16).padStart(4,"0")).join(""))}function ie(n){let e=b(n),t=u(e?.elicitationId),i=e?.mode;if(!(!e||!t||i!=="form"&&i!=="url"))return{elicitationId:t,mode:i,message:u(e.message)??"",url:u(e.url),requestedSchema:e.requestedSchema,expiresAt:u(e.expiresAt),context:Un(b(e.context)??{}),outcome:Nn(e.outcome)}}function Un(n){let e=n.arguments;return{trigger:u(n.trigger),service:u(n.service),account:u(n.account),tool:u(n.tool),toolCallId:u(n.toolCallId),arguments:typeof e=="string"||e===void 0?e:JSON.stringify(e),domain:u(n.domain),settledBy:u(n.settledBy)}}function Nn(n){let e=b(n);if(!e)return;let t={via:u(e.via),reason:u(e.reason),at:u(e.at)},i=e.action;return i==="accept"||i==="decline"||i==="cancel"||i==="expire"?{action:i,by:u(e.by),...t}:{action:"cancel",...t}}function Ft(n){let e=b(n)??{},t=[];return A(e.messages).forEach((i,s)=>{let r=Hn(i,s);r&&t.push(r)}),{messages:t,active:e.active===!0}}function Hn(n,e){let t=b(n),i=t?.role;if(!t||i!=="user"&&i!=="assistant")return;let s=[];if(A(t.parts).forEach((r,o)=>{let d=Dn(b(r)??{},o);d&&s.push(d)}),s.length!==0)return{id:u(t.id)??`history-${e}`,role:i,parts:s}}function Dn(n,e){let t=u(n.type)??"";if(t==="text"){let i=u(n.text);return i?{kind:"text",id:`text-${e}`,text:i,open:!1}:void 0}if(t.startsWith("data-"))return Ke(t,n.data,u(n.id)??`data-${e}`);if(t==="dynamic-tool"||t.startsWith("tool-"))return Fn(t,n)}function Ke(n,e,t){let i=b(e);switch(n){case"data-elicitation-request":{let s=ie(e);return s&&{kind:"question",id:s.elicitationId,question:s}}case"data-warning":{let s=u(i?.message);return s?{kind:"notice",id:t,text:s}:void 0}case"data-tool-auth-required":{let s=u(i?.message);return s?{kind:"notice",id:t,text:s,link:u(i?.authLink)}:void 0}}}var jn={"input-streaming":"writing","input-available":"running","approval-requested":"asking","approval-responded":"running","output-available":"done","output-error":"failed","output-denied":"denied"};function Fn(n,e){let t=u(e.toolCallId);if(!t)return;let i=n==="dynamic-tool"?u(e.toolName):n.slice(5),s={kind:"tool",id:t,name:i??"",title:u(e.title),state:jn[u(e.state)??""]??"running"};e.input!==void 0&&(s.input=ne(e.input)),e.output!==void 0&&(s.output=ne(e.output));let r=u(e.errorText);return r!==void 0&&(s.error=r),s}function ne(n){return typeof n=="string"?n:JSON.stringify(n)??""}var w=class extends Error{constructor(t,i,s=[]){super(i??`status ${t}`);this.status=t;this.said=i;this.fields=s}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}},ke=class{constructor(e,t){this.access=e;this.clock=t}access;clock;async send(e,t){return Wt(await this.#e("/run/api/chat",{method:"POST",body:JSON.stringify(e),signal:t}))}async stream(e,t){let i=await this.#e(`/run/api/chat/${encodeURIComponent(e)}/stream`,{signal:t});return i.status===204?void 0:Wt(i)}async halt(e){await this.#e(`/run/api/chat/${encodeURIComponent(e)}/stream`,{method:"DELETE",keepalive:!0})}async history(e,t){try{let i=await this.#e(`/run/api/chat/${encodeURIComponent(e)}`,{signal:t});return Ft(H(await i.text()))}catch(i){if(i instanceof w&&i.status===404)return{messages:[],active:!1};throw i}}async#e(e,t){let i=await Vt(this.access().base+e,this.access(),t);if(this.clock.note(i),!i.ok)throw await Qt(i);return i}};function Wt(n){if(n.body&&n.headers.get("content-type")?.startsWith("text/event-stream"))return n;throw n.body?.cancel(),new w(n.status,void 0)}async function Bt(n,e,t,i){let s=JSON.stringify({conversationId:t,...i}),r=await Vt(n,e,{method:"POST",body:s});if(!r.ok)throw await Qt(r)}async function Vt(n,e,t){let i=new Headers({"x-supports-elicitation":"true"});t.body!==void 0&&i.set("content-type","application/json");let s=e.token||await e.getToken?.();return s&&i.set("authorization",`Bearer ${s}`),fetch(n,{...t,headers:i,cache:"no-store",credentials:s?"same-origin":"include"})}async function Qt(n){let e=b(H(await n.text().catch(()=>""))),t=e?.error,i=[];for(let s of A(e?.fields)){let r=u(b(s)?.message),o=(u(b(s)?.field)??"").replace(/\[\d+\]$/,"");r&&i.push({field:o,message:r})}return new w(n.status,u(t)??u(b(t)?.message),i)}var Jt=M`
  :host {
    display: flex;
    flex-direction: column;
    block-size: 100%;
    min-block-size: 16rem;
    background: var(--_background);
    container-type: inline-size;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    padding: 0.6rem 0.75rem 0.6rem 1.25rem;
    border-block-end: 1px solid var(--_hair);
  }
  .head h2 {
    flex: 1;
    min-inline-size: 0;
    font-size: 1.05em;
    font-weight: 650;
  }
  .log {
    position: relative;
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    scrollbar-gutter: stable both-edges;
  }
  .log:focus-visible {
    outline-offset: -2px;
  }
  .column {
    display: grid;
    gap: 1.1rem;
    max-inline-size: 46rem;
    margin-inline: auto;
    padding: 1.25rem;
  }
  .column:has(.empty) {
    align-content: center;
    min-block-size: 100%;
  }
  .empty {
    color: var(--_muted);
    text-align: center;
    text-wrap: balance;
  }
  .message {
    display: grid;
    gap: 0.75rem;
    min-inline-size: 0;
  }
  .message > * {
    min-inline-size: 0;
  }
  .user {
    justify-items: end;
    gap: 0.2rem;
  }
  .bubble {
    max-inline-size: 85%;
    padding: 0.55rem 0.9rem;
    border-radius: var(--_radius);
    border-end-end-radius: 0.25rem;
    background: var(--_bubble);
    white-space: pre-wrap;
  }
  .user.sending .bubble {
    opacity: 0.75;
  }
  .unsent {
    color: var(--_danger);
    font-size: 0.8125rem;
    font-weight: 600;
  }
  .text {
    display: grid;
    gap: 0.65rem;
    min-inline-size: 0;
  }
  .text > * {
    min-inline-size: 0;
  }
  .text .heading {
    font-size: 1.08em;
    font-weight: 650;
  }
  .text ul,
  .text ol {
    padding-inline-start: 1.5rem;
  }
  .text li + li,
  .text li > :is(ul, ol) {
    margin-block-start: 0.25rem;
  }
  .text blockquote {
    padding-inline-start: 0.8rem;
    border-inline-start: 3px solid var(--_hair);
    color: var(--_muted);
  }
  .text hr {
    inline-size: 100%;
    border: 0;
    border-block-start: 1px solid var(--_hair);
  }
  .text :not(pre) > code {
    padding: 0.1em 0.3em;
    border-radius: 0.3em;
    background: var(--_sunken);
  }
  pre {
    padding: 0.7rem 0.9rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    overflow: auto;
    direction: ltr;
    text-align: left;
  }
  .tool {
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    font-size: 0.9rem;
  }
  .tool summary {
    display: flex;
    align-items: center;
    gap: 0.55rem;
    min-block-size: 2.5rem;
    padding: 0.3rem 0.75rem;
    border-radius: inherit;
    color: var(--_muted);
    list-style: none;
    cursor: pointer;
  }
  .tool summary::-webkit-details-marker {
    display: none;
  }
  .tool summary:hover {
    background: var(--_sunken);
  }
  .name {
    flex: 1;
    min-inline-size: 0;
    color: var(--_text);
    font-weight: 500;
  }
  .state {
    display: inline-flex;
    align-items: center;
    gap: 0.35em;
    font-size: 0.8125rem;
    white-space: nowrap;
  }
  .state svg {
    inline-size: 1.1em;
    block-size: 1.1em;
  }
  .done .state {
    color: var(--_success);
  }
  .failed .state,
  .denied .state {
    color: var(--_danger);
  }
  .asking .state {
    color: var(--_warning);
  }
  .chevron svg {
    inline-size: 1em;
    block-size: 1em;
    transition: rotate 0.15s;
  }
  .tool[open] .chevron svg {
    rotate: 90deg;
  }
  .call {
    display: grid;
    gap: 0.3rem;
    padding: 0.2rem 0.75rem 0.75rem;
  }
  .call > * {
    min-inline-size: 0;
  }
  .call pre {
    max-block-size: 16rem;
    margin-block-end: 0.4rem;
    white-space: pre-wrap;
  }
  .caption {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .spinner {
    inline-size: 0.85em;
    block-size: 0.85em;
    border: 2px solid currentColor;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: turn 0.9s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  .notice,
  .banner {
    display: flex;
    align-items: flex-start;
    gap: 0.55rem;
    font-size: 0.9rem;
  }
  .notice {
    color: var(--_warning);
  }
  .notice svg {
    margin-block-start: 0.1em;
  }
  .thinking,
  .quietly {
    color: var(--_muted);
    font-size: 0.9rem;
  }
  .thinking {
    display: flex;
    align-items: center;
    gap: 0.55rem;
  }
  .dots {
    display: inline-flex;
    gap: 0.25rem;
  }
  .dots i {
    inline-size: 0.4rem;
    block-size: 0.4rem;
    border-radius: 50%;
    background: currentColor;
    animation: pulse 1.2s infinite ease-in-out;
  }
  .dots i:nth-child(2) {
    animation-delay: 0.15s;
  }
  .dots i:nth-child(3) {
    animation-delay: 0.3s;
  }
  @keyframes pulse {
    0%,
    60%,
    100% {
      opacity: 0.35;
    }
    30% {
      opacity: 1;
    }
  }
  .foot {
    position: relative;
    inline-size: 100%;
    max-inline-size: 46rem;
    margin-inline: auto;
    padding: 0.25rem 1.25rem 1rem;
    padding-block-end: max(1rem, env(safe-area-inset-bottom));
  }
  .banner {
    align-items: center;
    flex-wrap: wrap;
    margin-block-end: 0.6rem;
    padding: 0.5rem 0.6rem 0.5rem 0.8rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    color: var(--_muted);
  }
  .banner span {
    flex: 1 1 12rem;
    min-inline-size: 0;
  }
  .banner button {
    min-block-size: 2.1rem;
    padding: 0.2rem 0.75rem;
  }
  .banner.failure {
    background: color-mix(in srgb, var(--_danger) 9%, var(--_background));
    color: var(--_danger);
  }
  .jump {
    position: absolute;
    inset-block-end: calc(100% + 0.25rem);
    inset-inline: 0;
    inline-size: fit-content;
    min-block-size: 2.25rem;
    margin-inline: auto;
    padding: 0.25rem 0.9rem;
    border-radius: 99px;
    box-shadow: 0 2px 10px rgb(0 0 0 / 18%);
    font-size: 0.875rem;
    z-index: 1;
  }
  .jump.asks {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_accent-text);
  }
  .composer {
    display: flex;
    align-items: flex-end;
    gap: 0.4rem;
    padding: 0.35rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .composer:focus-within {
    border-color: var(--_accent);
    outline: 1px solid var(--_accent);
  }
  .composer textarea {
    flex: 1;
    min-inline-size: 0;
    min-block-size: 2.5rem;
    max-block-size: 12rem;
    padding: 0.5rem 0.65rem;
    border: 0;
    background: none;
    outline: none;
    resize: none;
    field-sizing: content;
  }
  .composer textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .round {
    flex: none;
    inline-size: 2.5rem;
    min-block-size: 2.5rem;
    padding: 0;
    border-radius: min(var(--_radius), 0.65rem);
  }
  .round[aria-disabled="true"] {
    border-color: transparent;
    background: var(--_sunken);
    color: var(--_muted);
    opacity: 1;
  }
  @container (max-width: 30rem) {
    .column {
      padding: 0.9rem;
    }
    .foot {
      padding-inline: 0.75rem;
    }
    .bubble {
      max-inline-size: 92%;
    }
  }
  @media (forced-colors: active) {
    .bubble,
    pre,
    .banner {
      border: 1px solid CanvasText;
    }
  }
`;var Q=class{#e=0;now(){return Date.now()+this.#e}note(e){let t=Date.parse(e.headers.get("date")??"");if(Number.isNaN(t))return;let i=t+500-Date.now();this.#e=Math.abs(i)>2e3?i:0}},se=1e3,we=60*se,xe=60*we,Yt=24*xe;function Kt(n){let e=Math.max(0,n);if(e>=2*Yt)return`${Math.floor(e/Yt)} d`;if(e>=xe)return`${Math.floor(e/xe)} h ${Math.floor(e%xe/we)} min`;let t=Math.ceil(e/se);return`${Math.floor(t/60)}:${String(t%60).padStart(2,"0")}`}var Wn=[5*we,we,30*se,10*se];function Gt(n,e){let t=Wn.filter(i=>n>i&&e<=i);return t.length>0&&e>0?Math.min(...t)/se:void 0}var Ge=class{#e="";#t=[];#s=!1;push(e){!this.#s&&e!==""&&(this.#s=!0,e=e.replace(/^\ufeff/,""));let t=this.#e+e,i=[],s=/\r\n|\n|\r(?!$)/g,r=0;for(let o=s.exec(t);o;o=s.exec(t))this.#n(t.slice(r,o.index),i),r=s.lastIndex;return this.#e=t.slice(r),i}#n(e,t){e===""?(this.#t.length>0&&t.push(this.#t.join(`
`)),this.#t=[]):(e==="data"||e.startsWith("data:"))&&this.#t.push(e.slice(5).replace(/^ /,""))}};async function*Zt(n){let e=new Ge,t=new TextDecoder,i=n.getReader();try{for(;;){let{done:s,value:r}=await i.read();if(s)return;yield e.push(t.decode(r,{stream:!0}))}}finally{i.cancel().catch(()=>{})}}var _e=class{constructor(e=()=>!1){this.elsewhere=e}elsewhere;message;ending;take(e){if(e.trim()==="[DONE]"){this.ending??={};return}let t=b(H(e)),i=u(t?.type);!t||!i||(i.startsWith("text-")?this.#s(i,t):i.startsWith("tool-")?this.#i(i,t):i.startsWith("data-")?this.#d(i,t):this.#e(i,t))}#e(e,t){switch(e){case"start":this.message||(this.message={id:u(t.messageId)??Xt(),role:"assistant",parts:[]});break;case"finish":this.ending??={},this.#n();break;case"abort":this.ending={stopped:!0},this.#n();break;case"error":this.ending={error:u(t.errorText)??""},this.#n()}}get#t(){return this.message??={id:Xt(),role:"assistant",parts:[]},this.message.parts}#s(e,t){let i=u(t.id)??"",s=this.#t.findLast(r=>r.kind==="text"&&r.id===i&&r.open);if(s?.kind!=="text"){if(e!=="text-start"&&e!=="text-delta")return;s={kind:"text",id:i,text:"",open:!0},this.#t.push(s)}e==="text-delta"&&(s.text+=u(t.delta)??""),e==="text-end"&&(s.open=!1)}#n(){for(let e of this.message?.parts??[])e.kind==="text"&&(e.open=!1)}#i(e,t){let i=u(t.toolCallId);if(!i)return;let s=this.#t.find(r=>r.kind==="tool"&&r.id===i);if(!s){let r=u(t.toolName);if(r===void 0||!e.startsWith("tool-input-"))return;s={kind:"tool",id:i,name:r,state:"writing"},this.#t.push(s)}s.title=u(t.title)??s.title,this.#r(s,e,t)}#r(e,t,i){switch(t){case"tool-input-delta":e.input=(e.input??"")+(u(i.inputTextDelta)??"");break;case"tool-input-available":e.state="running",e.input=ne(i.input);break;case"tool-approval-request":e.state="asking";break;case"tool-output-available":e.state=i.preliminary===!0?"running":"done",e.output=ne(i.output);break;case"tool-input-error":case"tool-output-error":e.state="failed",e.error=u(i.errorText)??"";break;case"tool-output-denied":e.state="denied"}}#d(e,t){if(e==="data-elicitation-request"){let r=ie(t.data);r&&this.#a(r);return}let i=Ke(e,t.data,u(t.id)??`data-${this.#t.length}`);if(!i)return;let s=this.#t.findIndex(r=>r.kind===i.kind&&r.id===i.id);s>=0?this.#t[s]=i:this.#t.push(i)}#a(e){let t=e.elicitationId,i=this.#t.find(s=>s.kind==="question"&&s.id===t);i?.kind==="question"?i.question=e:this.elsewhere(e)||this.#t.push({kind:"question",id:t,question:e})}};function Xt(){return`local-${Math.random().toString(36).slice(2)}`}function en(n,e){return e.parts.every((t,i)=>{let s=n.parts[i];return s!==void 0&&(t.kind!=="text"||s.kind!=="text"||s.text.length>=t.text.length)})}var Bn=1500,Ae=class{constructor(e){this.changed=e}changed;messages=[];#e=new Map;#t=new Set;get questions(){return this.messages.flatMap(e=>e.parts).flatMap(e=>e.kind==="question"&&!e.question.outcome?[e.question]:[])}writer(){let e={turn:new _e(t=>this.#i(e,t))};return this.#t.add(e),e}show(e){let t=e.turn.message;if(!t)return;this.#n(t);let i=this.messages.find(s=>s.id===t.id);i!==t&&(!i||e.turn.ending||en(t,i)?this.#s(e):e.waiting??=setTimeout(()=>this.#s(e),Bn))}finish(e){this.#t.delete(e),e.waiting!==void 0&&e.turn.ending&&this.#s(e),clearTimeout(e.waiting),e.waiting=void 0}settle(e,t){this.#e.has(e)||this.#e.set(e,t);for(let i of this.messages)this.#n(i)}merge(e){let t=new Set(e.map(s=>s.id)),i=[...this.#t].flatMap(({turn:s})=>s.message?[s.message]:[]);this.messages=[...e.map(s=>i.find(r=>r.id===s.id)??s),...this.messages.filter(s=>!t.has(s.id)&&(s.status!==void 0||i.includes(s)))];for(let s of this.messages)this.#n(s)}#s(e){clearTimeout(e.waiting),e.waiting=void 0;let t=e.turn.message;if(!t)return;let i=this.messages.findIndex(s=>s.id===t.id);i>=0?this.messages[i]=t:this.messages.push(t),this.changed()}#n(e){for(let t of e.parts){if(t.kind!=="question")continue;let{outcome:i}=t.question;i?this.#e.set(t.id,i):this.#e.has(t.id)&&(t.question={...t.question,outcome:this.#e.get(t.id)})}}#i(e,t){for(let i of this.messages){if(i.id===e.turn.message?.id)continue;let s=i.parts.find(r=>r.kind==="question"&&r.id===t.elicitationId);if(s?.kind==="question")return s.question=t,this.#n(i),!0}return!1}};var Vn=6e4,Qn=15e3,Jn=5e3,Te=class{constructor(e,t,i,s){this.id=e;this.api=t;this.agent=i;this.changed=s;this.#e=new Ae(s)}id;api;agent;changed;failure;loading=!1;lost=!1;stopped=!1;#e;#t=new Set;#s;#n;#i=!1;get messages(){return this.#e.messages}get questions(){return this.#e.questions}get busy(){return this.#t.size>0||this.lost}open(){this.loading=!0,this.#h(!0,0)}send(e){let t={id:Ze("msg"),role:"user",parts:[{kind:"text",id:"text",text:e,open:!1}]};this.#e.messages.push(t),this.#r(t,e)}stop(){this.stopped=!0,this.busy&&this.api.halt(this.id).catch(()=>{}),this.#i=this.busy,this.close(),this.changed()}resume(){this.stopped=!1,this.failure=void 0,this.#n?this.#n():!this.#s&&this.#t.size===0&&this.#h(!1,0),this.changed()}settle(e,t){this.#e.settle(e,t),this.changed()}close(){this.#c();for(let e of[...this.#t])this.#u(e)}async#r(e,t){this.failure=void 0,this.stopped=!1,e.status="sending",this.#n&&(this.#i=!0,this.#c());let i=this.#o();this.changed();try{let s=[{type:"text",text:t}],r={id:this.id,agent:this.agent||void 0,messages:[{id:e.id,role:"user",parts:s}]},o=await this.api.send(r,i.abort.signal);e.status=void 0,this.changed(),this.#a(i,await this.#f(i,o,()=>{this.#r(e,t)}))}catch(s){e.status=this.#t.has(i)?"failed":void 0,e.status&&(this.failure=this.#d(e,t,s)),this.#u(i)}this.changed()}#d(e,t,i){let s=()=>{this.#r(e,t)};if(i instanceof w)return{kind:"refused",status:i.status,said:i.said,again:s};let r=async()=>{this.failure=void 0,e.status="sending",this.changed();try{let o=await this.api.history(this.id,new AbortController().signal);if(!o.messages.some(d=>d.id===e.id))return s();this.#e.merge(o.messages),o.active&&this.resume()}catch(o){e.status="failed",this.failure=this.#d(e,t,o)}this.changed()};return{kind:"unreachable",again:()=>{r()}}}#a(e,t){let i=!this.#t.has(e);this.#u(e),!i&&(t||(this.#i=!0),!(!this.#i||this.#t.size>0||this.#s)&&(this.lost=!t,this.#h(t,t?0:1)))}async#h(e,t){let i=this.#s=new AbortController;for(this.#i=!1;!i.signal.aborted;){if(t>0&&await this.#g(Math.min(1e3*2**(t-1),Qn),i.signal),i.signal.aborted)return;let s=Date.now();try{if(e&&!await this.#l(i.signal)||(e=!1,await this.#m(i.signal)))break}catch(r){if(!i.signal.aborted&&r instanceof w&&!r.passing){this.failure={kind:"refused",status:r.status,said:r.said,again:()=>this.#p()};break}}if(i.signal.aborted)return;t=Date.now()-s>Jn?1:t+1,this.lost=!0,this.changed()}i.signal.aborted||(this.#c(),this.changed())}#p(){this.failure=void 0,this.open(),this.changed()}#c(){this.#s?.abort(),this.#s=void 0,this.loading=this.lost=!1}async#l(e){let t=await this.api.history(this.id,e);return e.aborted?!1:(this.loading=this.lost=!1,this.#e.merge(t.messages),this.changed(),t.active)}async#m(e){let t=this.#o();e.addEventListener("abort",()=>this.#u(t),{once:!0,signal:t.abort.signal});try{let i=await this.api.stream(this.id,t.abort.signal);return this.lost=this.loading=!1,this.changed(),i?await this.#f(t,i,()=>this.#p()):(await this.#l(e),!0)}finally{this.#u(t)}}async#f(e,t,i){let s,r=()=>{clearTimeout(s),s=setTimeout(()=>e.abort.abort(),Vn)};r();try{for await(let d of Zt(t.body)){if(r(),!this.#t.has(e))return!1;for(let l of d)e.turn.take(l);if(this.#e.show(e),d.length>0&&this.changed(),e.turn.ending)break}}catch{}finally{clearTimeout(s)}let o=e.turn.ending;return o?.error!==void 0&&(this.failure={kind:"failed",said:o.error,again:i}),o!==void 0}#o(){let e=Object.assign(this.#e.writer(),{abort:new AbortController});return this.#t.add(e),e}#u(e){this.#t.delete(e)&&(e.abort.abort(),this.#e.finish(e))}#g(e,t){return new Promise(i=>{let s=()=>{clearTimeout(r),t.removeEventListener("abort",s),this.#n=void 0,i()},r=setTimeout(s,e);this.#n=s,t.addEventListener("abort",s)})}};function Ze(n){let e=crypto.getRandomValues(new Uint8Array(16));return`${n}_${[...e].map(t=>t.toString(16).padStart(2,"0")).join("")}`}var x=n=>k`<svg viewBox="0 0 24 24" aria-hidden="true">${n}</svg>`,m={connect:x(k`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:x(k`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:x(k`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:x(k`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:x(k`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:x(k`<path d="M7 7l10 10M17 7 7 17"/>`),tool:x(k`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:x(k`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:x(k`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:x(k`<path d="M12 5v14M5 12h14"/>`),down:x(k`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:x(k`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),chevron:x(k`<path d="m9 6 6 6-6 6"/>`)};var Yn={},Xe=B(class extends q{constructor(){super(...arguments),this.ot=Yn}render(n,e){return e()}update(n,[e,t]){if(Array.isArray(e)){if(Array.isArray(this.ot)&&this.ot.length===e.length&&e.every((i,s)=>i===this.ot[s]))return $}else if(this.ot===e)return $;return this.ot=Array.isArray(e)?Array.from(e):e,this.render(e,t)}});function tt(n,e,t){let i=et(n);if(!i||i.protocol!=="https:"&&i.protocol!=="http:"||i.username!==""||i.password!=="")return;let{hostname:s,host:r,href:o,origin:d}=i,l=t&&(s===t||s.endsWith(`.${t}`))?t:r,h=o.indexOf("//")+2+(l===t?s.length-t.length:0);return{href:o,before:o.slice(0,h),trust:l,after:o.slice(h+l.length),foreign:d!==et(e)?.origin,insecure:i.protocol==="http:"&&!Kn(s)}}function et(n){try{return new URL(n??"")}catch{return}}function Kn(n){return n==="localhost"||n.endsWith(".localhost")||n==="[::1]"||/^127(\.\d+){3}$/.test(n)}function re(n){let e=et(n);return e&&(e.protocol==="https:"||e.protocol==="http:")?e.href:void 0}var tn=/^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/,oe=/^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/,nn=/^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/,nt=/^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/,it=/^ {0,3}> ?(.*)$/;function sn(n){return new rt(n.replace(/\r\n?/g,`
`).split(`
`)).blocks()}var rt=class{constructor(e){this.lines=e}lines;#e=0;blocks(){let e=[];for(;this.#e<this.lines.length;){let t=this.lines[this.#e];t.trim()===""?this.#e++:e.push(this.#t(t))}return e}#t(e){let t=tn.exec(e);if(t)return this.#i(t[1],t[2]);if(nt.test(e))return this.#e++,{kind:"rule"};let i=nn.exec(e);if(i)return this.#e++,{kind:"heading",content:D(i[1])};let s=oe.exec(e);return s?this.#r(s[1].length):it.test(e)?{kind:"quote",content:D(this.#s(r=>it.exec(r)?.[1]))}:{kind:"paragraph",content:D(this.#s(r=>this.#n(r)?void 0:r))}}#s(e){let t=[e(this.lines[this.#e])??this.lines[this.#e]];for(this.#e++;this.#e<this.lines.length;this.#e++){let i=e(this.lines[this.#e]);if(i===void 0)break;t.push(i)}return t.join(`
`)}#n(e){return e.trim()===""||tn.test(e)||nn.test(e)||oe.test(e)||it.test(e)||nt.test(e)}#i(e,t){let i=++this.#e,s=new RegExp(`^ {0,3}${e[0]}{${e.length},}\\s*$`);for(;this.#e<this.lines.length&&!s.test(this.lines[this.#e]);)this.#e++;let r=this.lines.slice(i,this.#e).join(`
`);return this.#e++,{kind:"code",text:r,language:t}}#r(e){let t=[],i=oe.exec(this.lines[this.#e]);for(;this.#e<this.lines.length;){let s=this.lines[this.#e],r=oe.exec(s);if(r&&r[1].length>=e+2&&t.length>0)t.at(-1).blocks.push(this.#r(r[1].length));else if(r&&r[2]===void 0==(i[2]===void 0)&&r[1].length>=e&&!nt.test(s))t.push({content:D(this.#d(r[3])),blocks:[]});else if(s.trim()===""&&oe.test(this.lines[this.#e+1]??""))this.#e++;else break}return{kind:"list",start:i[2]===void 0?void 0:Number(i[2]),items:t}}#d(e){for(this.#e++;this.#e<this.lines.length;this.#e++){let t=this.lines[this.#e];if(!/^\s+\S/.test(t)||this.#n(t))break;e+=`
`+t.trim()}return e}},Gn=[[/\\([!-/:-@[-`{-~])/y,n=>({kind:"text",text:n[1]})],[/(`+)(?!`)([^]*?[^`])\1(?!`)/y,n=>({kind:"code",text:ei(n[2])})],[/\*\*(?=\S)([^]*?\S)\*\*/y,n=>({kind:"strong",content:D(n[1])})],[/\*(?=[^\s*])([^*]*[^\s*])\*(?!\*)/y,n=>({kind:"emphasis",content:D(n[1])})],[/(?<![\p{L}\p{N}])_(?=[^\s_])([^_]*[^\s_])_(?![\p{L}\p{N}])/uy,n=>({kind:"emphasis",content:D(n[1])})],[/!?\[([^\]]+)\]\(\s*<?([^\s<>()]+(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+"[^"]*")?\s*\)/y,n=>st(n[2],n[1])],[/<(https?:\/\/[^\s<>]+)>/y,n=>st(n[1],n[1])],[/(?<![\p{L}\p{N}])https?:\/\/[^\s<>"'`*]*[^\s<>"'`*.,;:!?)\]]/uy,n=>st(n[0],n[0])],[/ {2,}\n|\n/y,()=>({kind:"break"})]],Zn=1e4;function D(n){if(n.length>Zn)return[{kind:"text",text:n}];let e=[],t="";for(let i=0;i<n.length;){let s=Xn(n,i);if(!s){t+=n[i++];continue}t!==""&&e.push({kind:"text",text:t}),t="",e.push(s.node),i+=s.length}return t!==""&&e.push({kind:"text",text:t}),e}function Xn(n,e){if(/[\\`*_![<h \n]/.test(n[e]))for(let[t,i]of Gn){t.lastIndex=e;let s=t.exec(n),r=s&&i(s);if(s&&r)return{node:r,length:s[0].length}}}function st(n,e){let t=re(n);if(t===void 0)return;let i=/^\s*(https?:|www\.)/i.test(e)?re(e.trim().replace(/^www/i,"https://www")):t,s=i!==void 0&&new URL(i).host===new URL(t).host;return{kind:"link",href:t,content:[{kind:"text",text:s?e:t}]}}function ei(n){return/^ .*[^ ].* $/s.test(n)?n.slice(1,-1):n}function rn({message:n,say:e,question:t}){if(n.role==="user")return ti(n,e);let i=new Set(n.parts.flatMap(s=>s.kind==="question"&&!s.question.outcome?[s.question.context.toolCallId]:[]));return a`<div class="message assistant">
    <span class="hidden">${e("assistant")}:</span>
    ${ye(n.parts,(s,r)=>s.kind==="text"?`text ${r}`:`${s.kind} ${s.id}`,s=>ni(s.kind==="tool"&&i.has(s.id)?{...s,state:"asking"}:s,e,t))}
  </div>`}function ti(n,e){let t=n.parts.map(i=>i.kind==="text"?i.text:"").join(`
`);return a`<div class="message user ${n.status??""}">
    <span class="hidden">${e("you")}:</span>
    <div class="bubble" dir="auto">${t}</div>
    ${n.status==="failed"?a`<span class="unsent">${e("unsent")}</span>`:c}
  </div>`}function ni(n,e,t){switch(n.kind){case"text":return n.text.trim()===""?c:a`<div class="text" dir="auto">${Xe([n.text],()=>sn(n.text).map(on))}</div>`;case"tool":return ri(n,e);case"question":return t(n.question);case"notice":return ii(n.text,n.link,e)}}function ii(n,e,t){let i=e===void 0?void 0:re(e);return a`<p class="notice" dir="auto">${m.warning}<span>${n}
    ${i?a` <a href=${i} target="_blank" rel="noopener noreferrer">${t("connectLink")}</a>`:c}</span></p>`}var si={writing:"toolWriting",running:"toolRunning",asking:"toolAsking",done:"toolDone",failed:"toolFailed",denied:"toolDenied"};function ri(n,e){let t=n.state==="writing"||n.state==="running",i=n.state==="done"?m.done:n.state==="failed"||n.state==="denied"?m.no:m.clock;return a`<details class="tool ${n.state}" aria-live="off">
    <summary>
      ${m.tool}<span class="name" dir="auto">${n.title||n.name||e("tool")}</span>
      <span class="state">${t?a`<span class="spinner"></span>`:i}${e(si[n.state])}</span>
      <span class="chevron">${m.chevron}</span>
    </summary>
    <div class="call">
      ${n.title&&n.title!==n.name?a`<p class="caption"><code>${n.name}</code></p>`:c}
      ${n.input===void 0?c:ot(e("toolInput"),n.input)}
      ${n.output===void 0?c:ot(e("toolOutput"),n.output)}
      ${n.error===void 0?c:ot(e("toolError"),n.error)}
    </div>
  </details>`}var ot=(n,e)=>a`<p class="caption">${n}</p>
    <pre tabindex="0" role="region" aria-label=${n}>${Xe([e],()=>jt(e))}</pre>`;function on(n){switch(n.kind){case"paragraph":return a`<p>${n.content.map(j)}</p>`;case"heading":return a`<p class="heading">${n.content.map(j)}</p>`;case"quote":return a`<blockquote>${n.content.map(j)}</blockquote>`;case"code":return a`<pre tabindex="0"><code>${n.text}</code></pre>`;case"rule":return a`<hr />`;case"list":{let e=n.items.map(t=>a`<li>${t.content.map(j)}${t.blocks.map(on)}</li>`);return n.start===void 0?a`<ul>${e}</ul>`:a`<ol start=${n.start}>${e}</ol>`}}}function j(n){switch(n.kind){case"text":return n.text;case"code":return a`<code>${n.text}</code>`;case"strong":return a`<strong>${n.content.map(j)}</strong>`;case"emphasis":return a`<em>${n.content.map(j)}</em>`;case"link":return a`<a href=${n.href} title=${n.href} target="_blank" rel="noopener noreferrer">${n.content.map(j)}</a>`;case"break":return a`<br />`}}var Ee=class{constructor(e,t){this.host=e;this.log=t;e.addController(this)}host;log;atEnd=!0;#e=new ResizeObserver(()=>{this.follow(),this.#d(120)});#t;#s=0;#n;follow(){let e=this.log();e&&(this.#i(e),this.atEnd&&(e.scrollTop=e.scrollHeight))}toEnd(){this.atEnd=!0,this.follow(),this.host.requestUpdate()}reveal(e,t=!1){let i=this.log();if(!i||!t&&!this.atEnd)return;let s=e.getBoundingClientRect().top-i.getBoundingClientRect().top+i.scrollTop;!t&&s>=i.scrollHeight-i.clientHeight||(this.atEnd=!1,i.scrollTop=s-12,this.host.requestUpdate())}sees(e){let t=this.log();if(!t||!e)return!0;let i=t.getBoundingClientRect(),{top:s,bottom:r}=e.getBoundingClientRect();return r>i.top+48&&s<i.bottom-48}hostDisconnected(){clearTimeout(this.#n),this.#e.disconnect(),this.#t?.removeEventListener("scroll",this.#r),this.#t=void 0}#i(e){this.#t!==e&&(this.hostDisconnected(),this.#t=e,e.addEventListener("scroll",this.#r,{passive:!0}),this.#e.observe(e),e.firstElementChild&&this.#e.observe(e.firstElementChild))}#r=()=>{let e=this.log();if(!e)return;let t=this.atEnd;e.scrollHeight-e.scrollTop-e.clientHeight<48?this.atEnd=!0:e.scrollTop<this.#s&&(this.atEnd=!1),this.#s=e.scrollTop,this.#d(t===this.atEnd?120:0)};#d(e){clearTimeout(this.#n),this.#n=setTimeout(()=>this.host.requestUpdate(),e)}};var at=(n,e)=>`parley:conversation:${n}:${e??""}`;function an(n,e,t){try{let i=sessionStorage.getItem(at(n,e));if(i)return{id:i,fresh:!1};let s=t();return sessionStorage.setItem(at(n,e),s),{id:s,fresh:!0}}catch{return{id:t(),fresh:!0}}}function dn(n,e){try{sessionStorage.removeItem(at(n,e))}catch{}}var Se=n=>e=>e.n===1?`1 ${n}`:`${e.n} ${n}s`,ln=Se("character"),cn=Se("choice"),oi=n=>n<60?Se("second")({n}):Se("minute")({n:n/60}),un={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:n=>n.n===1?"A question waits for you":`${n.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",narrow:"More choices",always_allow:"Always allow",deny:"Deny",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:n=>`${oi(Number(n.n))} left to answer ${n.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once.",allowed_always:"You allowed it from now on.",denied:"You denied it.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:n=>`${n.label} must be at least ${ln(n)} long.`,errorMaxLength:n=>`${n.label} must be at most ${ln(n)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:n=>`${n.label} must have at least ${cn(n)}.`,errorMaxItems:n=>`${n.label} must have at most ${cn(n)}.`};function Ce(n){return(e,t={})=>{let i=n?.[e]??un[e];return typeof i=="function"?i(t):i.replace(/\{(\w+)\}/g,(s,r)=>r in t?String(t[r]):s)}}var Re=M`
  :host {
    color-scheme: light dark;
    --_background: var(--parley-background, light-dark(#ffffff, #15171b));
    --_surface: var(--parley-surface, light-dark(#ffffff, #1e2127));
    --_sunken: var(--parley-sunken, light-dark(#f3f5f8, #272b33));
    --_bubble: var(--parley-bubble, light-dark(#e4edf9, #24374f));
    --_text: var(--parley-text, light-dark(#1a1d23, #eceef2));
    --_muted: var(--parley-muted, light-dark(#4b5261, #b3bac7));
    --_line: var(--parley-line, light-dark(#7f8796, #7d8594));
    --_hair: var(--parley-hair, light-dark(#dde1e8, #363b45));
    --_accent: var(--parley-accent, light-dark(#1d4f91, #9cc2f5));
    --_accent-text: var(--parley-accent-text, light-dark(#ffffff, #0e1826));
    --_danger: var(--parley-danger, light-dark(#a4161a, #ffa3a3));
    --_success: var(--parley-success, light-dark(#17633a, #8bdcaa));
    --_warning: var(--parley-warning, light-dark(#7a4a00, #f3c775));
    --_radius: var(--parley-radius, 0.875rem);
    --_radius-small: min(var(--_radius), 0.5rem);
    --_font: var(--parley-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif);
    --_mono: var(--parley-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace);
    font-family: var(--_font);
    font-size: var(--parley-font-size, 0.9375rem);
    line-height: 1.5;
    color: var(--_text);
    overflow-wrap: anywhere;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  p,
  h2,
  h3,
  pre,
  ul,
  ol,
  dl,
  dd,
  figure,
  blockquote {
    margin: 0;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }
  code,
  pre {
    font-family: var(--_mono);
    font-size: 0.9em;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  svg {
    display: block;
    flex: none;
    inline-size: 1.25em;
    block-size: 1.25em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`,Me=M`
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    min-block-size: 2.625rem;
    padding: 0.45rem 1rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-small);
    background: var(--_surface);
    color: var(--_text);
    font: inherit;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition:
      background-color 0.12s,
      border-color 0.12s,
      filter 0.12s;
  }
  button:hover,
  .button:hover {
    border-color: var(--_text);
    background: var(--_sunken);
  }
  .primary {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_accent-text);
  }
  .primary:hover {
    border-color: var(--_accent);
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  button[aria-disabled="true"] {
    cursor: default;
    opacity: 0.6;
  }
  .quiet,
  .quiet:hover {
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .quiet:hover {
    background: var(--_sunken);
    color: var(--_text);
  }
  .link,
  .link:hover {
    display: inline;
    min-block-size: 0;
    padding: 0;
    border: 0;
    background: none;
    color: var(--_accent);
    font-weight: 500;
    text-decoration: underline;
    text-underline-offset: 0.15em;
  }
  input:not([type="checkbox"], [type="radio"]),
  select,
  textarea {
    inline-size: 100%;
    min-block-size: 2.625rem;
    padding: 0.5rem 0.7rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-small);
    background: var(--_background);
    color: inherit;
    font: inherit;
  }
  @media (pointer: coarse) {
    input:not([type="checkbox"], [type="radio"]),
    select,
    textarea {
      font-size: max(1rem, 1em); /* below that, phones zoom in */
    }
  }
`;var ai=new URL(".",import.meta.url).href,qe=class extends _{static styles=[Re,Me,Jt];static properties={base:{},agent:{},conversation:{},heading:{},theme:{reflect:!0},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1}};#e;#t=new Q;#s=new ke(()=>({base:this.#c(),token:this.token,getToken:this.getToken}),this.#t);#n="";#i=new Set;#r="";#d;#a=new Ee(this,()=>this.renderRoot.querySelector(".log"));get conversationId(){return this.#e?.id}send(e){e.trim()===""||!this.#e||(this.#e.send(e.trim()),this.#a.toEnd())}stop(){this.#e?.stop()}newConversation(){dn(this.#c(),this.agent),this.#p(),this.#m?.focus()}focus(e){this.#m?.focus(e)}connectedCallback(){super.connectedCallback(),window.addEventListener("online",this.#h),document.addEventListener("visibilitychange",this.#h),this.requestUpdate()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("online",this.#h),document.removeEventListener("visibilitychange",this.#h),this.#e?.close(),this.#e=void 0}#h=()=>{this.#e?.lost&&!document.hidden&&this.#e.resume()};shouldUpdate(){return this.isConnected}willUpdate(e){(!this.#e||e.has("base")||e.has("agent")||e.has("conversation"))&&this.#p(),this.#f()}#p(){this.#e?.close();let{id:e,fresh:t}=this.conversation?{id:this.conversation,fresh:!1}:an(this.#c(),this.agent,()=>Ze("conv"));this.#e=new Te(e,this.#s,this.agent,()=>this.requestUpdate()),this.#i.clear(),t||this.#e.open(),this.dispatchEvent(new CustomEvent("parley-conversation",{bubbles:!0,composed:!0,detail:{id:e}})),this.requestUpdate()}#c(){return new URL(this.base??ai,document.baseURI).href.replace(/\/+$/,"")}get#l(){return Ce(this.strings)}get#m(){return this.renderRoot.querySelector(".composer textarea")}#f(){let{questions:e,failure:t}=this.#e;for(let{elicitationId:i,message:s,context:r}of e)this.#i.has(i)||(this.#i.add(i),this.#r=this.#l("announce",{service:r.service||this.#l("someone"),message:s}),this.updateComplete.then(()=>this.#o(i)));if(t&&t!==this.#d){let i={kind:t.kind,status:t.status,message:this.#_(t)};this.dispatchEvent(new CustomEvent("parley-error",{bubbles:!0,composed:!0,detail:i}))}this.#d=t}async#o(e){let t=this.#u(e);if(await t?.updateComplete,!t)return;this.#a.reveal(t),this.requestUpdate(),this.shadowRoot?.activeElement===this.#m&&this.#n===""&&!matchMedia("(pointer: coarse)").matches&&t.focus({preventScroll:!0})}#u(e){return[...this.renderRoot.querySelectorAll("parley-question")].find(t=>t.dataset.id===e)}#g(e){let t=e&&this.#u(e.elicitationId);if(!t)return this.#a.toEnd();this.#a.reveal(t,!0),t.focus({preventScroll:!0})}render(){let{messages:e,loading:t}=this.#e,i=this.#l;return a`
      ${this.heading?a`<div class="head" part="head">
            <h2 dir="auto">${this.heading}</h2>
            ${this.conversation?c:a`<button type="button" class="quiet round" title=${i("newConversation")} aria-label=${i("newConversation")}
                  @click=${()=>this.newConversation()}>${m.plus}</button>`}
          </div>`:c}
      <div class="log" part="log" role="log" tabindex="0" aria-label=${i("log")} aria-busy=${this.#x()}>
        <div class="column" @parley-answered=${this.#E} @parley-hint=${this.#v} @parley-refused=${this.#v}>
          ${e.length>0||t?c:a`<div class="empty"><slot name="empty">${i("empty")}</slot></div>`}
          ${ye(e,s=>s.id,s=>rn({message:s,say:i,question:this.#k}))} ${this.#S()}
        </div>
      </div>
      <div class="foot" part="foot">${this.#w()} ${this.#C()} ${this.#A()}</div>
      <div class="hidden announcer" role="status">${this.#r}</div>
    `}#k=e=>a`<parley-question data-id=${e.elicitationId} exportparts="card" aria-live="off" lang=${this.lang||c}
      .request=${e} .endpoint=${this.#c()+"/run/api/elicitation-responses"} .base=${this.#c()}
      .conversation=${this.#e.id} .token=${this.token} .getToken=${this.getToken}
      .strings=${this.strings} .clock=${this.#t} .theme=${this.theme}></parley-question>`;#E=e=>{let{elicitationId:t,action:i}=e.detail;this.#e.settle(t,{action:i,via:"chat"}),this.#v()};#v=()=>{let e=this.#e;!e.stopped&&(!e.busy||e.lost)&&e.resume()};#x(){let e=this.#e.messages.at(-1)?.parts.at(-1);return this.#e.busy&&e?.kind==="text"&&e.open}#S(){let{loading:e,busy:t,lost:i,stopped:s,questions:r}=this.#e,o=this.#l;return s?a`<p class="quietly">${o("stopped")}
        <button type="button" class="link" @click=${()=>this.#e.resume()}>${o("resume")}</button></p>`:e||t&&!i&&r.length===0&&!this.#x()?a`<p class="thinking"><span class="dots"><i></i><i></i><i></i></span>${o(e?"loading":"thinking")}</p>`:c}#w(){let{questions:e}=this.#e,t=e.filter(i=>!this.#a.sees(this.#u(i.elicitationId)));if(t.length>0){let i=this.#l("waiting",{n:t.length});return a`<button type="button" class="jump asks" @click=${()=>this.#g(t[0])}>${i}</button>`}return this.#a.atEnd||e.length>0?c:a`<button type="button" class="jump" @click=${()=>this.#g(void 0)}>${m.down}${this.#l("latest")}</button>`}#C(){let e=this.#e,t=this.#l;return e.failure?a`<div class="banner failure" role="alert">${m.warning}<span>${this.#_(e.failure)}</span>
        <button type="button" @click=${()=>e.failure?.again()}>${t("retry")}</button></div>`:e.lost?a`<div class="banner" role="status">${m.warning}<span>${t("lost")}</span>
      <button type="button" @click=${()=>e.resume()}>${t("tryNow")}</button></div>`:c}#_({kind:e,status:t,said:i}){return e==="unreachable"?this.#l("unreachable"):t===401?this.#l("signedOut"):i?N(i):t===403?this.#l("forbidden"):this.#l(t===429?"tooMany":"failed")}#y(){let{busy:e,questions:t}=this.#e;return this.#n.trim()!==""&&(!e||t.length>0)}#A(){let e=this.#l,t=i=>{this.#n=i.target.value,this.requestUpdate()};return a`<form class="composer" part="composer" @submit=${this.#$}>
      <textarea rows=${Math.min(8,this.#n.split(`
`).length)} dir="auto" aria-label=${e("placeholder")} placeholder=${e("placeholder")} enterkeyhint="send"
        .value=${R(this.#n)} @input=${t} @keydown=${this.#b}></textarea>
      ${this.#e.busy?a`<button type="button" class="round" title=${e("stop")} aria-label=${e("stop")}
            @click=${()=>this.stop()}>${m.stop}</button>`:c}
      <button class="round primary" title=${e("send")} aria-label=${e("send")} aria-disabled=${!this.#y()}>${m.send}</button>
    </form>`}#b=e=>{e.key==="Enter"&&!e.shiftKey&&!e.isComposing&&this.#$(e)};#$=e=>{if(e.preventDefault(),!this.#y())return;let t=this.#n;this.#n="",this.send(t)};updated(){this.#a.follow()}};function hn(n){return Object.fromEntries(n.map(e=>[e.name,di(e)]))}function di(n){let e=n.default;switch(n.kind){case"boolean":return typeof e=="boolean"?e:n.required?void 0:!1;case"choices":return Array.isArray(e)?n.options.map(t=>t.value).filter(t=>e.includes(t)):[];case"choice":return n.options.some(t=>t.value===e)?e:void 0;case"number":case"integer":return typeof e=="number"?String(e):""}return typeof e!="string"?"":n.format==="date-time"?yi(e):e}function dt(n,e,t){let i={content:Object.create(null),errors:Object.create(null)};for(let s of n){let{value:r,error:o}=li(s,e[s.name],t);o!==void 0?i.errors[s.name]=o:r!==void 0&&(i.content[s.name]=r)}return i}function Pe(n){let e=n.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(e)?`“${e}”`:e}function li(n,e,t){let i={error:t("errorRequired",{label:Pe(n.label)})};switch(n.kind){case"boolean":return e===void 0?n.required?i:{}:{value:e};case"choices":return ci(n,e??[],t);case"choice":return e===void 0?n.required||n.default!==void 0?i:{}:{value:e}}let s=typeof e=="string"?e:"",r=n.kind==="string"&&n.format===void 0;return(r&&!n.required?s==="":s.trim()==="")?n.required?i:n.default===void 0?{}:n.kind==="string"?{value:""}:i:n.kind==="string"?ui(n,r?s:s.trim(),t):mi(n,s.trim(),t)}function ci(n,e,t){let{minItems:i,maxItems:s}=n,r=Pe(n.label);return e.length===0&&!n.required&&n.default===void 0?{}:i!==void 0&&e.length<i?{error:t("errorMinItems",{label:r,n:i})}:s!==void 0&&e.length>s?{error:t("errorMaxItems",{label:r,n:s})}:{value:e}}function ui(n,e,t){let{minLength:i,maxLength:s}=n,r=Pe(n.label),o=[...e].length;if(i!==void 0&&o<i)return{error:t("errorMinLength",{label:r,n:i})};if(s!==void 0&&o>s)return{error:t("errorMaxLength",{label:r,n:s})};if(n.pattern!==void 0&&!hi(n.pattern,e))return{error:t("errorPattern",{label:r})};switch(n.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(e)?{value:e}:{error:t("errorEmail",{label:r})};case"uri":return pi(e)?{value:e}:{error:t("errorUri",{label:r})};case"date":return fi(e)?{value:e}:{error:t("errorDate",{label:r})};case"date-time":{let d=vi(e);return d?{value:d}:{error:t("errorDateTime",{label:r})}}}return{value:e}}function hi(n,e){try{return new RegExp(n,"u").test(e)}catch{return!0}}function pi(n){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(n)&&URL.canParse(n)}function fi(n){let e=new Date(`${n}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(n)&&!Number.isNaN(e.valueOf())&&e.toISOString().startsWith(n)}function mi(n,e,t){let{minimum:i,maximum:s}=n,r=Pe(n.label),o=gi(e);return o===void 0?{error:t(n.kind==="integer"?"errorInteger":"errorNumber",{label:r})}:n.kind==="integer"&&!Number.isInteger(o)?{error:t("errorInteger",{label:r})}:bi(e)?i!==void 0&&o<i?{error:t("errorMinimum",{label:r,n:i})}:s!==void 0&&o>s?{error:t("errorMaximum",{label:r,n:s})}:{value:o}:{error:t("errorDigits",{label:r})}}function gi(n){let e=n.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(e))return;let t=Number(e);return Number.isFinite(t)?t:void 0}function bi(n){return n.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(n))&&/^[-+]?\d+$/.test(n)}function vi(n){let e=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(n),t=new Date(n);if(!(!e||Number.isNaN(t.valueOf())))return`${e[1]}${e[2]??":00"}${lt(t)||"Z"}`}function yi(n){let e=new Date(n);return Number.isNaN(e.valueOf())?"":new Date(e.valueOf()-e.getTimezoneOffset()*6e4).toISOString().slice(0,e.getUTCSeconds()||e.getUTCMilliseconds()?19:16)}function lt(n){let e=-n.getTimezoneOffset();if(e===0)return"";let t=i=>String(Math.floor(i)).padStart(2,"0");return`${e<0?"-":"+"}${t(Math.abs(e)/60)}:${t(Math.abs(e)%60)}`}function pn(n){let e=b(n);if(!e)return;let t=new Set(A(e.required)),i=[];for(let[s,r]of Object.entries(b(e.properties)??{})){let o=b(r),d=o&&$i(o);if(!o||!d)return;i.push(ki(s,d,o,t.has(s)))}return i}function $i(n){switch(n.type){case"string":return n.enum!==void 0||n.oneOf!==void 0?"choice":"string";case"number":case"integer":case"boolean":return n.type;case"array":return ct(b(n.items)??{}).length>0?"choices":void 0}}function ki(n,e,t,i){return{name:n,kind:e,required:i,label:u(t.title)||n,description:u(t.description)||void 0,format:xi(t.format),minLength:J(t.minLength),maxLength:J(t.maxLength),pattern:u(t.pattern),minimum:J(t.minimum),maximum:J(t.maximum),options:ct(e==="choices"?b(t.items)??{}:t),minItems:J(t.minItems),maxItems:J(t.maxItems),default:t.default}}function xi(n){return n==="email"||n==="uri"||n==="date"||n==="date-time"?n:void 0}function J(n){return typeof n=="number"?n:void 0}function ct(n){let e=A(n.oneOf??n.anyOf);if(e.length>0)return e.flatMap(i=>{let s=u(b(i)?.const);return s===void 0?[]:[{value:s,label:u(b(i)?.title)||s}]});let t=A(n.enumNames);return A(n.enum).flatMap((i,s)=>typeof i=="string"?[{value:i,label:u(t[s])||i}]:[])}function ut(n){return n.kind==="boolean"&&n.required&&n.default===void 0}var mn=7;function pt(n){let{field:e}=n;return e.kind==="boolean"&&!ut(e)?Ci(n):e.kind==="boolean"?fn(n,[{value:"true",label:n.say("yes")},{value:"false",label:n.say("no")}]):e.kind==="choices"?Si(n):e.kind==="choice"&&e.options.length<=mn?fn(n,e.options):a`<div class=${Ie(n)}>
    <label for=${n.id} dir="auto">${e.label}${mt(n)}</label>
    ${Le(n)} ${e.kind==="choice"?Ei(n):_i(n)}
  </div>`}function ft(n){let{id:e,field:t}=n;return t.kind==="choices"||ut(t)||t.kind==="choice"&&t.options.length<=mn?`${e}-0`:e}var Ie=n=>n.error===void 0?"field":"field wrong",mt=n=>ae(n.field)?a` <span class="required">${n.say("required")}</span>`:c;function ae(n){return n.required&&(n.kind!=="choices"||(n.minItems??0)>0)}function Le(n){let{id:e,field:t,error:i,say:s}=n,r=gn(t,s);return a`
    ${t.description?a`<p class="hint" id="${e}-about" dir="auto">${t.description}</p>`:c}
    ${r?a`<p class="hint" id="${e}-hint">${r}</p>`:c}
    ${i===void 0?c:a`<p class="error" id="${e}-error"><span class="hidden">${s("error")} </span>${i}</p>`}
  `}function Y(n){let e=[];return n.field.description&&e.push(`${n.id}-about`),gn(n.field,n.say)&&e.push(`${n.id}-hint`),n.error!==void 0&&e.push(`${n.id}-error`),e.length>0?e.join(" "):c}function gn(n,e){switch(n.kind){case"number":case"integer":return ht(n.minimum,n.maximum,e);case"choices":{let t=ht(n.minItems||void 0,n.maxItems,e);return t&&e("hintChoices",{range:wi(t)})}case"string":{if(n.format==="date-time")return e("localTime",{offset:lt(new Date)});let t=ht(n.minLength!==void 0&&n.minLength>1?n.minLength:void 0,n.maxLength,e);return t&&e("hintLength",{range:t})}}return""}function ht(n,e,t){return n!==void 0&&n===e?t("exactly",{low:n}):n!==void 0&&e!==void 0?t("from",{low:n,high:e}):n!==void 0?t("atLeast",{low:n}):e===void 0?"":t("atMost",{high:e})}var wi=n=>n.charAt(0).toLowerCase()+n.slice(1);function _i(n){let{id:e,field:t,entry:i,enter:s}=n,r=typeof i=="string"?i:"",o=h=>s(h.target.value);if(t.kind==="string"&&t.format===void 0&&Ti(t))return a`<textarea id=${e} rows="4" dir="auto" .value=${R(r)} @input=${o}
      aria-describedby=${Y(n)} aria-required=${ae(t)} aria-invalid=${n.error!==void 0}></textarea>`;let{type:d,mode:l}=Ai(t);return a`<input id=${e} type=${d} inputmode=${l??c} autocomplete="off" dir="auto"
    spellcheck=${l?"false":c} autocapitalize=${l?"off":c} step=${d==="datetime-local"?"any":c}
    .value=${R(r)} @input=${o}
    aria-describedby=${Y(n)} aria-required=${ae(t)} aria-invalid=${n.error!==void 0} />`}function Ai(n){if(n.kind==="integer")return{type:"text",mode:(n.minimum??-1)<0?"text":"numeric"};if(n.kind==="number")return{type:"text",mode:(n.minimum??-1)<0?"text":"decimal"};switch(n.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function Ti(n){let e=typeof n.default=="string"?n.default:"";return(n.maxLength??0)>200||(n.minLength??0)>100||e.length>200||e.includes(`
`)}function Ei(n){let{id:e,field:t,entry:i,say:s,enter:r}=n;return a`<select id=${e} @change=${d=>{let l=d.target.selectedIndex-1;r(t.options[l]?.value)}} aria-describedby=${Y(n)}
    aria-required=${ae(t)} aria-invalid=${n.error!==void 0}>
    <option value="" .selected=${i===void 0}>${s("choose")}</option>
    ${t.options.map(d=>a`<option .selected=${d.value===i}>${gt(d,s)}</option>`)}
  </select>`}var gt=(n,e)=>n.label.trim()===""?e("emptyOption"):n.label;function fn(n,e){let{id:t,field:i,entry:s,say:r,enter:o}=n,d=h=>i.kind==="boolean"?h==="true":h,l=!i.required&&i.default===void 0;return a`<div class=${Ie(n)} role="radiogroup" aria-labelledby="${t}-label" aria-required=${ae(i)}
    aria-invalid=${n.error!==void 0} aria-describedby=${Y(n)}>
    <div class="legend" id="${t}-label" dir="auto">${i.label}${mt(n)}</div>
    ${Le(n)}
    ${e.map((h,v)=>a`<label class="option">
        <input type="radio" id="${t}-${v}" name=${t} .checked=${R(s===d(h.value))} @change=${()=>o(d(h.value))} />
        <span dir="auto">${gt(h,r)}</span>
      </label>`)}
    ${l?a`<label class="option">
          <input type="radio" name=${t} .checked=${R(s===void 0)} @change=${()=>o(void 0)} />
          <span>${r("noAnswer")}</span>
        </label>`:c}
  </div>`}function Si(n){let{id:e,field:t,say:i,enter:s}=n,r=Array.isArray(n.entry)?n.entry:[],o=(d,l)=>s(t.options.map(h=>h.value).filter(h=>h===d?l:r.includes(h)));return a`<div class=${Ie(n)} role="group" aria-labelledby="${e}-label" aria-describedby=${Y(n)}>
    <div class="legend" id="${e}-label" dir="auto">${t.label}${mt(n)}</div>
    ${Le(n)}
    ${t.options.map((d,l)=>a`<label class="option">
        <input type="checkbox" id="${e}-${l}" .checked=${R(r.includes(d.value))} aria-invalid=${n.error!==void 0}
          @change=${h=>o(d.value,h.target.checked)} />
        <span dir="auto">${gt(d,i)}</span>
      </label>`)}
  </div>`}function Ci(n){let{id:e,field:t,entry:i,enter:s}=n;return a`<div class=${Ie(n)}>
    <label class="option">
      <input type="checkbox" id=${e} .checked=${R(i===!0)} aria-describedby=${Y(n)} aria-invalid=${n.error!==void 0}
        @change=${r=>s(r.target.checked)} />
      <span class="strong" dir="auto">${t.label}</span>
    </label>
    ${Le(n)}
  </div>`}function vn(n,e){let{question:t,service:i,say:s}=n;return a`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${n.kind==="unsupported"?m.form:m[n.kind]}</span>
      <div class="title isolate" id="title" dir="auto">${yn(n)}</div>
      ${e}
    </header>
    <div class="body">
      ${t.message.trim()===""?c:a`<div class="message">
            <span class="from isolate" dir="auto">${s("says",{service:i})}</span>
            <div class="words" dir="auto">${t.message}</div>
          </div>`}
      ${Ri(n)}
      ${t.context.account?a`<p class="account">${s("account")} <bdi>${t.context.account}</bdi></p>`:c}
    </div>
  </div>`}function yn(n){let{kind:e,question:t,service:i,say:s}=n;return e==="connect"?s(t.context.trigger==="credential_required"?"connectTitle":"visitTitle",{service:i}):s(t.context.trigger==="tool_approval"?"approvalTitle":"formTitle",{service:i})}function $n(n,e){let t={good:m.done,bad:m.no,neutral:m.clock}[e.tone];return a`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${e.tone}">${t}</span>
      <div class="title">
        <span class="isolate" id="title" dir="auto">${yn(n)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${e.sentence}</span>
      </div>
    </header>
  </div>`}var F=n=>n===void 0?c:a`<p class="problem">${m.warning}<span>${n}</span></p>`;function Ri(n){switch(n.kind){case"connect":return Mi(n);case"approval":return a`${bn(n)} ${Pi(n)}`;case"form":return a`${n.question.context.trigger==="tool_approval"?bn(n):c} ${zi(n)}`;case"unsupported":return a`<p>${n.say("unsupported")} <a href=${n.hosted} target="_blank" rel="noopener">${n.say("hosted")}</a></p>
        ${F(n.problem)}
        <div class="buttons">${ze(n,"decline")}</div>`}}function Mi(n){let{address:e,say:t}=n;if(!e)return a`${F(t("unsafe"))} ${F(n.problem)}
      <div class="buttons">${ze(n,"dismiss")}</div>`;let i=t(n.question.context.trigger==="credential_required"?"connect":"visit");return a`
    <dl>
      <div>
        <dt>${t("address")}</dt>
        <dd><code class="address">${e.before}<strong>${e.trust}</strong>${e.after}</code></dd>
      </div>
    </dl>
    ${e.insecure?a`<p class="warn">${m.warning}<span>${t("insecure")}</span></p>`:c} ${qi(n,e)} ${F(n.problem)}
    <div class="buttons">
      ${e.foreign?a`<a class="button primary" id="go" href=${e.href} target="_blank" rel="noopener noreferrer"
            @click=${n.open}>${i}</a>`:a`<button type="button" class="primary" id="go" @click=${n.open}>
            ${n.phase==="opened"?t("openAgain"):i}
          </button>`}
      ${ze(n,"dismiss")}
    </div>
  `}function qi(n,e){let{say:t,phase:i}=n,s=a`<a href=${e.href}>${t("sameWindow")}</a>`;switch(i){case"opened":return a`<p class="status">
        ${m.clock}<span>${t(e.foreign?"openedTab":"opened")} ${e.foreign?c:s}</span>
      </p>`;case"blocked":return F(a`${t("blocked")} ${s}`);case"confirming":return a`<p class="status">${m.clock}<span>${t("confirming")}</span></p>`}return c}function bn(n){let{context:e}=n.question,{say:t}=n,i=$e(e.arguments??""),s=i.split(`
`).length;return a`<dl>
    ${e.tool===void 0?c:a`<div>
          <dt>${t("toolLabel")}</dt>
          <dd><code><bdi>${e.tool}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${s>8?t("argumentLines",{n:s}):t("arguments")}</dt>
      <dd>
        ${i===""?t("noArguments"):a`<pre class="arguments" tabindex="0" role="region" aria-labelledby="arguments">${i}</pre>`}
      </dd>
    </div>
  </dl>`}function Pi(n){let{say:e}=n;return a`${Ii(n)}${F(n.problem)}<div class="buttons">
    ${n.fields[0].options.map(({value:t,label:i})=>a`<button type="button" class=${t==="allow_once"?"primary":""} data-decision=${t}
        aria-disabled=${n.phase==="sending"} @click=${()=>n.decide(t)}>
        ${i===t&&Li(t)?e(t):i}
      </button>`)}
  </div>`}function Ii(n){let{fields:e,entries:t,errors:i,say:s}=n;return e.length<2?c:a`<details class="narrow">
    <summary>${s("narrow")}</summary>
    <div class="form">
      ${e.slice(1).map((r,o)=>pt({id:`field-${o+1}`,field:r,entry:t[r.name],error:i[r.name],say:s,enter:d=>n.enter(r.name,d)}))}
    </div>
  </details>`}function Li(n){return n==="allow_once"||n==="always_allow"||n==="deny"}function zi(n){let{fields:e,entries:t,errors:i,say:s}=n;return a`<form class="form" novalidate @submit=${n.submit}>
    ${e.map((r,o)=>pt({id:`field-${o}`,field:r,entry:t[r.name],error:i[r.name],say:s,enter:d=>n.enter(r.name,d)}))}
    ${F(n.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${n.phase==="sending"}>${s(n.phase==="sending"?"sending":"submit")}</button>
      ${ze(n,"decline")}
    </div>
  </form>`}function ze(n,e){return a`<button type="button" class="quiet" id="decline" aria-disabled=${n.phase==="sending"} @click=${n.decline}>
    ${n.say(e)}
  </button>`}var Oe=class{constructor(e,t,i){this.host=e;this.say=t;this.over=i;e.addController(this)}host;say;over;left;#e=Number.NaN;#t;#s;#n=!1;start(e,t){this.#e=Date.parse(e??""),this.#t=t;let i=this.#e-t.now();this.left=i>0?i:void 0,this.#i()}stop(){this.left=void 0,this.#i()}hostConnected(){this.#n=!0,this.#i()}hostDisconnected(){this.#n=!1,this.#i()}#i(){clearInterval(this.#s),this.#n&&this.left!==void 0&&(this.#s=setInterval(()=>this.#r(),1e3))}#r(){let e=this.left??0;this.left=Math.max(0,this.#e-this.#t.now());let t=Gt(e,this.left);t!==void 0&&this.say(t),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function kn(n,e,t,i){let s=Ui(e,t,i),r=n.context.trigger==="credential_required";switch(e.action){case"accept":return t.answered&&t.decision!==void 0?Oi(t.decision,i):r?{tone:"good",sentence:i("connected",{place:s})}:{tone:"good",sentence:i(n.mode==="url"?"visited":"answered",{place:s})};case"decline":return{tone:"bad",sentence:i(r?"notConnected":"declined",{place:s})};case"expire":return{tone:"neutral",sentence:i("expired")}}return e.by?{tone:"neutral",sentence:i("cancelled",{place:s})}:{tone:"neutral",sentence:i(e.reason==="superseded"?"superseded":"withdrawn")}}function Oi(n,e){switch(n){case"allow_once":return{tone:"good",sentence:e("allowed_once")};case"always_allow":return{tone:"good",sentence:e("allowed_always")};case"deny":return{tone:"bad",sentence:e("denied")}}return{tone:"good",sentence:e("answered",{place:""})}}function Ui(n,e,t){if(e.answered)return"";switch(n.via){case"page":return t("onPage");case"slack":return t("inSlack");case void 0:case"chat":return e.watched?t("elsewhere"):""}return t("elsewhere")}function xn(n){let e=Math.min(560,screen.availWidth),t=Math.min(760,screen.availHeight),i=Math.round(window.screenX+(window.outerWidth-e)/2),s=Math.round(window.screenY+(window.outerHeight-t)/2),r=window.open(n,"parley-connect",`popup,width=${e},height=${t},left=${i},top=${s}`);return!r||r.closed?!1:(r.focus(),!0)}var wn=M`
  :host {
    display: block;
    container-type: inline-size;
  }
  .card {
    border: 1px solid var(--_hair);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: 0 1px 2px light-dark(rgb(20 30 50 / 6%), transparent), 0 6px 20px light-dark(rgb(20 30 50 / 7%), transparent);
    overflow: clip;
  }
  .card.open {
    border-color: color-mix(in srgb, var(--_accent) 45%, var(--_hair));
    animation: arrive 0.22s ease-out;
  }
  @keyframes arrive {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.7rem;
    padding: 0.85rem 1.1rem 0;
  }
  .badge {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: min(var(--_radius), 0.65rem);
    background: var(--_bubble);
    color: var(--_accent);
  }
  .title {
    flex: 1;
    min-inline-size: 0;
    font-size: 1.05em;
    font-weight: 650;
    line-height: 1.3;
    text-wrap: pretty;
  }
  bdi,
  .isolate {
    unicode-bidi: isolate;
  }
  .timer {
    display: inline-flex;
    align-items: center;
    gap: 0.3em;
    flex: none;
    padding: 0.15rem 0.55rem;
    border-radius: 99px;
    background: var(--_sunken);
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .timer svg {
    inline-size: 1em;
    block-size: 1em;
  }
  .timer.soon {
    background: color-mix(in srgb, var(--_warning) 14%, var(--_surface));
    color: var(--_warning);
    font-weight: 600;
  }
  .body {
    display: grid;
    gap: 1rem;
    padding: 0.85rem 1.1rem 1.1rem;
  }
  .message {
    padding: 0.7rem 0.9rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
  }
  .from {
    display: block;
    margin-block-end: 0.1rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .words {
    white-space: pre-wrap;
    unicode-bidi: plaintext;
  }
  dl {
    display: grid;
    gap: 0.7rem;
  }
  dt,
  .caption {
    margin-block-end: 0.2rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .address {
    display: block;
    color: var(--_muted);
    direction: ltr;
    text-align: start;
    word-break: break-all;
  }
  .address strong {
    color: var(--_text);
    font-size: 1.08em;
    font-weight: 700;
  }
  .arguments {
    max-block-size: 15rem;
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    /* A shadow at an edge says that there is more beyond it. */
    --_shade: light-dark(rgb(20 30 50 / 22%), rgb(0 0 0 / 60%));
    background:
      linear-gradient(var(--_sunken) 40%, transparent) top / 100% 2.5rem no-repeat local,
      linear-gradient(transparent, var(--_sunken) 60%) bottom / 100% 2.5rem no-repeat local,
      linear-gradient(var(--_shade), transparent) top / 100% 0.75rem no-repeat scroll,
      linear-gradient(transparent, var(--_shade)) bottom / 100% 0.75rem no-repeat scroll,
      var(--_sunken);
    direction: ltr;
    text-align: left;
    white-space: pre-wrap;
    overflow: auto;
    tab-size: 2;
  }
  .form {
    display: grid;
    gap: 1.1rem;
  }
  .field {
    min-inline-size: 0;
  }
  .wrong {
    padding-inline-start: 0.8rem;
    border-inline-start: 3px solid var(--_danger);
  }
  .field > label:not(.option),
  .legend,
  .strong {
    font-weight: 600;
  }
  .field > label:not(.option) {
    display: block;
    margin-block-end: 0.25rem;
  }
  .legend {
    margin-block-end: 0.15rem;
  }
  .required {
    color: var(--_muted);
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .hint {
    margin-block-end: 0.3rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .error {
    margin-block-end: 0.3rem;
    color: var(--_danger);
    font-size: 0.875rem;
    font-weight: 600;
  }
  :is(input, select, textarea)[aria-invalid="true"]:not([type="checkbox"]) {
    border-color: var(--_danger) !important;
  }
  textarea {
    resize: vertical;
    field-sizing: content;
    min-block-size: 5.5rem;
    max-block-size: 24rem;
  }
  .option {
    display: flex;
    align-items: flex-start;
    gap: 0.65rem;
    padding: 0.35rem 0;
    cursor: pointer;
  }
  .option input {
    flex: none;
    inline-size: 1.25rem;
    block-size: 1.25rem;
    margin: 0.1rem 0 0;
    accent-color: var(--_accent);
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.6rem;
  }
  .status,
  .problem,
  .warn {
    display: flex;
    align-items: flex-start;
    gap: 0.5rem;
    font-size: 0.9rem;
  }
  .status svg,
  .problem svg,
  .warn svg {
    margin-block-start: 0.1em;
  }
  .status {
    color: var(--_muted);
  }
  .problem {
    padding: 0.6rem 0.8rem;
    border-radius: var(--_radius-small);
    background: color-mix(in srgb, var(--_danger) 9%, var(--_surface));
    color: var(--_danger);
    font-weight: 600;
  }
  .warn {
    color: var(--_warning);
  }
  .account {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .account bdi {
    color: var(--_text);
    font-weight: 600;
  }
  .settled header {
    padding-block-end: 0.85rem;
  }
  .settled .badge {
    background: var(--_sunken);
    color: var(--_muted);
  }
  .settled .badge.good {
    background: color-mix(in srgb, var(--_success) 14%, var(--_surface));
    color: var(--_success);
  }
  .settled .badge.bad {
    background: color-mix(in srgb, var(--_danger) 11%, var(--_surface));
    color: var(--_danger);
  }
  .settled .title {
    color: var(--_muted);
    font-size: 0.9em;
    font-weight: 500;
  }
  .settled .sentence {
    display: block;
    color: var(--_text);
    font-size: 1rem;
    font-weight: 600;
  }
  .settled .sentence:focus {
    outline: none;
  }
  .settled .sentence:focus-visible {
    outline: 2px solid var(--_accent);
  }
  @container (max-width: 26rem) {
    header {
      padding: 0.8rem 0.9rem 0;
    }
    .body {
      padding: 0.8rem 0.9rem 0.9rem;
    }
    .buttons > * {
      flex: 1 1 100%;
    }
    .arguments {
      max-block-size: 12rem;
    }
    header:has(.timer) {
      flex-wrap: wrap;
    }
    header:has(.timer) .title {
      flex-basis: 60%;
    }
  }
  @media (forced-colors: active) {
    .card,
    .message,
    .badge {
      border: 1px solid CanvasText;
    }
  }
`;var Ni=6e4,Ue=class extends _{static styles=[Re,Me,wn];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#t;#s={};#n=Object.create(null);#i;#r="ready";#d;#a={answered:!1,watched:!1};#h="";#p;#c=new Oe(this,e=>this.#h=this.#o("secondsLeft",{n:e,service:this.#u()}),()=>this.#f({action:"expire"}));constructor(){super(),this.clock=new Q}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#d}focus(e){let t=this.#t?.[0],i=t&&`#${ft({id:"field-0",field:t})}, `;this.renderRoot.querySelector(`[data-decision=deny], ${i??""}#go, #decline, #outcome`)?.focus(e)}refuse(e,t=[]){this.#$("ready"),this.#i=[e,...this.#A(t)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#w)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#w)}willUpdate(e){e.has("request")&&this.#l(ie(this.request))}#l(e){let t=e?.elicitationId!==this.#e?.elicitationId;this.#e=e,t&&(this.#t=e?.mode==="form"?pn(e.requestedSchema):void 0,this.#s=hn(this.#t??[]),this.#n=Object.create(null),this.#i=this.#d=void 0,this.#r="ready",this.#a={answered:!1,watched:!1},this.#c.start(e?.expiresAt,this.clock)),this.pending?this.#a.watched=!0:this.#m()}#m(){this.#c.stop(),this.shadowRoot?.activeElement&&(this.#p="outcome")}#f(e){this.#d=e,this.#m(),this.requestUpdate()}get#o(){return Ce(this.strings)}#u(){return N(this.#e?.context.service?.trim()||this.#o("someone"))}#g(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#k(){let e=this.#e;if(e.mode==="url")return"connect";if(!this.#t)return"unsupported";let[t,...i]=this.#t;return e.context.trigger==="tool_approval"&&t?.name==="decision"&&t.kind==="choice"&&!i.some(r=>r.required||r.kind!=="choice")?"approval":"form"}render(){if(!this.#e)return c;let e=this.#v(this.#e),t=this.#E();return a`${t?$n(e,t):vn(e,this.#x())}
      <div class="hidden" role="status">${t&&this.#a.watched?t.sentence:this.#h}</div>
      <div class="hidden" role="alert">${t?c:this.#i}</div>`}#E(){let e=this.#e.outcome??this.#d;return e==="elsewhere"?{tone:"neutral",sentence:this.#o("answerSettled")}:e&&kn(this.#e,e,this.#a,this.#o)}#v(e){let t=this.#g();return{kind:this.#k(),question:e,service:this.#u(),phase:this.#r,problem:this.#i,address:e.mode==="url"?tt(e.url,t,e.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(e.elicitationId)}`,new URL("/",t)).href,fields:this.#t??[],entries:this.#s,errors:this.#n,say:this.#o,open:this.#S,submit:this.#C,decline:()=>{this.#b("decline")},decide:i=>this.#_(i),enter:(i,s)=>{this.#s={...this.#s,[i]:s},delete this.#n[i],this.requestUpdate()}}}#x(){let{left:e}=this.#c;if(e===void 0)return c;let t=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return a`<span class="timer ${e<=Ni?"soon":""}" role="timer" aria-live="off"
      title=${this.#o("expiresAt",{time:t})}>${m.clock}${this.#o("expiresIn",{time:Kt(e)})}</span>`}#S=e=>{let{url:t,context:i}=this.#e,s=tt(t,this.#g());if(!s)return e.preventDefault();this.#i=void 0,this.#r=s.foreign||xn(s.href)?"opened":"blocked",this.requestUpdate(),s.foreign&&i.trigger==="mcp_elicitation"&&i.settledBy!=="page"&&this.#b("accept")};#w=e=>{let t=e.data;!this.pending||t?.type!=="parley:settled"||t.elicitationId!==this.#e?.elicitationId||e.origin===new URL(this.#g()).origin&&(this.#r="confirming",this.requestUpdate(),this.#T("parley-hint",{elicitationId:t.elicitationId}))};#C=e=>{e.preventDefault();let{content:t,errors:i}=dt(this.#t??[],this.#s,this.#o);this.#n=i,Object.keys(i).length>0?this.#y():this.#b("accept",t)};#_(e){let{content:t}=dt((this.#t??[]).slice(1),this.#s,this.#o);this.#b("accept",{...e==="always_allow"&&t,decision:e})}#y(){this.#i=this.#o("answerInvalid");let e=this.#t?.findIndex(t=>t.name in this.#n)??-1;e>=0&&(this.#p=ft({id:`field-${e}`,field:this.#t[e]})),this.requestUpdate()}#A(e){let t=[];for(let{field:i,message:s}of e)this.#t?.some(r=>r.name===i)?this.#n[i]=s:t.push(s);return t}async#b(e,t){if(this.#r==="sending"||!this.pending)return;let{elicitationId:i}=this.#e,s={elicitationId:i,action:e,...t&&{content:t}},r=this.#r;if(this.#r="sending",this.#i=void 0,this.#a={answered:!0,watched:!0,decision:this.#k()==="approval"?String(t?.decision):void 0},this.requestUpdate(),!this.#T("parley-answer",s)||!this.endpoint)return;let o=()=>this.#e?.elicitationId===i;try{await Bt(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",s)}catch(d){o()&&this.#R(d,r);return}o()&&this.#f({action:e}),this.#T("parley-answered",s)}#$(e){this.#r=e,this.#a={answered:!1,watched:!0}}#R(e,t){this.#$(t);let i=e instanceof w?e.status:0;if(e instanceof w&&i===400){let s=this.#A(e.fields);this.#y(),(s.length>0||e.fields.length===0)&&(this.#i=s.join(" ")||e.said||this.#o("answerFailed"))}else i===409?this.#f("elsewhere"):i===410?this.#f({action:"expire"}):i===401?this.#i=this.#o("answerSignedOut"):i===403||i===404?this.#i=this.#o("answerForbidden"):this.#i=this.#o(i===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#T("parley-refused",{elicitationId:this.#e.elicitationId,status:i})}#T(e,t){return this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,cancelable:e==="parley-answer",detail:t}))}updated(){let e=this.#p;this.#p=void 0,e&&this.renderRoot.querySelector(`#${e}`)?.focus()}};customElements.get("parley-question")||customElements.define("parley-question",Ue);customElements.get("parley-chat")||customElements.define("parley-chat",qe);export{qe as ParleyChat,Ue as ParleyQuestion,un as english};
/*! Bundled license information:

@lit/reactive-element/css-tag.js:
  (**
   * @license
   * Copyright 2019 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/reactive-element.js:
lit-html/lit-html.js:
lit-element/lit-element.js:
lit-html/directive.js:
lit-html/directives/repeat.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/is-server.js:
  (**
   * @license
   * Copyright 2022 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directive-helpers.js:
lit-html/directives/live.js:
  (**
   * @license
   * Copyright 2020 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directives/guard.js:
  (**
   * @license
   * Copyright 2018 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/
