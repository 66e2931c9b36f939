var $e=globalThis,we=$e.ShadowRoot&&($e.ShadyCSS===void 0||$e.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,ht=Symbol(),Dt=new WeakMap,oe=class{constructor(e,n,r){if(this._$cssResult$=!0,r!==ht)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=n}get styleSheet(){let e=this.o,n=this.t;if(we&&e===void 0){let r=n!==void 0&&n.length===1;r&&(e=Dt.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),r&&Dt.set(n,e))}return e}toString(){return this.cssText}},Ht=t=>new oe(typeof t=="string"?t:t+"",void 0,ht),S=(t,...e)=>{let n=t.length===1?t[0]:e.reduce((r,i,s)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+t[s+1],t[0]);return new oe(n,t,ht)},Ft=(t,e)=>{if(we)t.adoptedStyleSheets=e.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of e){let r=document.createElement("style"),i=$e.litNonce;i!==void 0&&r.setAttribute("nonce",i),r.textContent=n.cssText,t.appendChild(r)}},mt=we?t=>t:t=>t instanceof CSSStyleSheet?(e=>{let n="";for(let r of e.cssRules)n+=r.cssText;return Ht(n)})(t):t;var{is:Gn,defineProperty:Zn,getOwnPropertyDescriptor:Xn,getOwnPropertyNames:er,getOwnPropertySymbols:tr,getPrototypeOf:nr}=Object,ke=globalThis,Jt=ke.trustedTypes,rr=Jt?Jt.emptyScript:"",ir=ke.reactiveElementPolyfillSupport,ae=(t,e)=>t,ft={toAttribute(t,e){switch(e){case Boolean:t=t?rr:null;break;case Object:case Array:t=t==null?t:JSON.stringify(t)}return t},fromAttribute(t,e){let n=t;switch(e){case Boolean:n=t!==null;break;case Number:n=t===null?null:Number(t);break;case Object:case Array:try{n=JSON.parse(t)}catch{n=null}}return n}},Vt=(t,e)=>!Gn(t,e),Wt={attribute:!0,type:String,converter:ft,reflect:!1,useDefault:!1,hasChanged:Vt};Symbol.metadata??=Symbol("metadata"),ke.litPropertyMetadata??=new WeakMap;var I=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,n=Wt){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(e,n),!n.noAccessor){let r=Symbol(),i=this.getPropertyDescriptor(e,r,n);i!==void 0&&Zn(this.prototype,e,i)}}static getPropertyDescriptor(e,n,r){let{get:i,set:s}=Xn(this.prototype,e)??{get(){return this[n]},set(o){this[n]=o}};return{get:i,set(o){let c=i?.call(this);s?.call(this,o),this.requestUpdate(e,c,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Wt}static _$Ei(){if(this.hasOwnProperty(ae("elementProperties")))return;let e=nr(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(ae("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(ae("properties"))){let n=this.properties,r=[...er(n),...tr(n)];for(let i of r)this.createProperty(i,n[i])}let e=this[Symbol.metadata];if(e!==null){let n=litPropertyMetadata.get(e);if(n!==void 0)for(let[r,i]of n)this.elementProperties.set(r,i)}this._$Eh=new Map;for(let[n,r]of this.elementProperties){let i=this._$Eu(n,r);i!==void 0&&this._$Eh.set(i,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let n=[];if(Array.isArray(e)){let r=new Set(e.flat(1/0).reverse());for(let i of r)n.unshift(mt(i))}else e!==void 0&&n.push(mt(e));return n}static _$Eu(e,n){let r=n.attribute;return r===!1?void 0:typeof r=="string"?r:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,n=this.constructor.elementProperties;for(let r of n.keys())this.hasOwnProperty(r)&&(e.set(r,this[r]),delete this[r]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ft(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,n,r){this._$AK(e,r)}_$ET(e,n){let r=this.constructor.elementProperties.get(e),i=this.constructor._$Eu(e,r);if(i!==void 0&&r.reflect===!0){let s=(r.converter?.toAttribute!==void 0?r.converter:ft).toAttribute(n,r.type);this._$Em=e,s==null?this.removeAttribute(i):this.setAttribute(i,s),this._$Em=null}}_$AK(e,n){let r=this.constructor,i=r._$Eh.get(e);if(i!==void 0&&this._$Em!==i){let s=r.getPropertyOptions(i),o=typeof s.converter=="function"?{fromAttribute:s.converter}:s.converter?.fromAttribute!==void 0?s.converter:ft;this._$Em=i;let c=o.fromAttribute(n,s.type);this[i]=c??this._$Ej?.get(i)??c,this._$Em=null}}requestUpdate(e,n,r,i=!1,s){if(e!==void 0){let o=this.constructor;if(i===!1&&(s=this[e]),r??=o.getPropertyOptions(e),!((r.hasChanged??Vt)(s,n)||r.useDefault&&r.reflect&&s===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,r))))return;this.C(e,n,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,n,{useDefault:r,reflect:i,wrapped:s},o){r&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??n??this[e]),s!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||r||(n=void 0),this._$AL.set(e,n)),i===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,s]of this._$Ep)this[i]=s;this._$Ep=void 0}let r=this.constructor.elementProperties;if(r.size>0)for(let[i,s]of r){let{wrapped:o}=s,c=this[i];o!==!0||this._$AL.has(i)||c===void 0||this.C(i,void 0,s,c)}}let e=!1,n=this._$AL;try{e=this.shouldUpdate(n),e?(this.willUpdate(n),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(n)):this._$EM()}catch(r){throw e=!1,this._$EM(),r}e&&this._$AE(n)}willUpdate(e){}_$AE(e){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(e){}firstUpdated(e){}};I.elementStyles=[],I.shadowRootOptions={mode:"open"},I[ae("elementProperties")]=new Map,I[ae("finalized")]=new Map,ir?.({ReactiveElement:I}),(ke.reactiveElementVersions??=[]).push("2.1.2");var bt=globalThis,Bt=t=>t,xe=bt.trustedTypes,Qt=xe?xe.createPolicy("lit-html",{createHTML:t=>t}):void 0,vt="$lit$",M=`lit$${Math.random().toFixed(9).slice(2)}$`,yt="?"+M,sr=`<${yt}>`,F=document,le=()=>F.createComment(""),ce=t=>t===null||typeof t!="object"&&typeof t!="function",$t=Array.isArray,en=t=>$t(t)||typeof t?.[Symbol.iterator]=="function",gt=`[ 	
\f\r]`,de=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Yt=/-->/g,Kt=/>/g,D=RegExp(`>|${gt}(?:([^\\s"'>=/]+)(${gt}*=${gt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Gt=/'/g,Zt=/"/g,tn=/^(?:script|style|textarea|title)$/i,wt=t=>(e,...n)=>({_$litType$:t,strings:e,values:n}),a=wt(1),A=wt(2),Si=wt(3),R=Symbol.for("lit-noChange"),d=Symbol.for("lit-nothing"),Xt=new WeakMap,H=F.createTreeWalker(F,129);function nn(t,e){if(!$t(t)||!t.hasOwnProperty("raw"))throw Error("invalid template strings array");return Qt!==void 0?Qt.createHTML(e):e}var rn=(t,e)=>{let n=t.length-1,r=[],i,s=e===2?"<svg>":e===3?"<math>":"",o=de;for(let c=0;c<n;c++){let l=t[c],p,g,m=-1,v=0;for(;v<l.length&&(o.lastIndex=v,g=o.exec(l),g!==null);)v=o.lastIndex,o===de?g[1]==="!--"?o=Yt:g[1]!==void 0?o=Kt:g[2]!==void 0?(tn.test(g[2])&&(i=RegExp("</"+g[2],"g")),o=D):g[3]!==void 0&&(o=D):o===D?g[0]===">"?(o=i??de,m=-1):g[1]===void 0?m=-2:(m=o.lastIndex-g[2].length,p=g[1],o=g[3]===void 0?D:g[3]==='"'?Zt:Gt):o===Zt||o===Gt?o=D:o===Yt||o===Kt?o=de:(o=D,i=void 0);let b=o===D&&t[c+1].startsWith("/>")?" ":"";s+=o===de?l+sr:m>=0?(r.push(p),l.slice(0,m)+vt+l.slice(m)+M+b):l+M+(m===-2?c:b)}return[nn(t,s+(t[n]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),r]},ue=class t{constructor({strings:e,_$litType$:n},r){let i;this.parts=[];let s=0,o=0,c=e.length-1,l=this.parts,[p,g]=rn(e,n);if(this.el=t.createElement(p,r),H.currentNode=this.el.content,n===2||n===3){let m=this.el.content.firstChild;m.replaceWith(...m.childNodes)}for(;(i=H.nextNode())!==null&&l.length<c;){if(i.nodeType===1){if(i.hasAttributes())for(let m of i.getAttributeNames())if(m.endsWith(vt)){let v=g[o++],b=i.getAttribute(m).split(M),w=/([.?@])?(.*)/.exec(v);l.push({type:1,index:s,name:w[2],strings:b,ctor:w[1]==="."?Ae:w[1]==="?"?Te:w[1]==="@"?Ee:W}),i.removeAttribute(m)}else m.startsWith(M)&&(l.push({type:6,index:s}),i.removeAttribute(m));if(tn.test(i.tagName)){let m=i.textContent.split(M),v=m.length-1;if(v>0){i.textContent=xe?xe.emptyScript:"";for(let b=0;b<v;b++)i.append(m[b],le()),H.nextNode(),l.push({type:2,index:++s});i.append(m[v],le())}}}else if(i.nodeType===8)if(i.data===yt)l.push({type:2,index:s});else{let m=-1;for(;(m=i.data.indexOf(M,m+1))!==-1;)l.push({type:7,index:s}),m+=M.length-1}s++}}static createElement(e,n){let r=F.createElement("template");return r.innerHTML=e,r}};function J(t,e,n=t,r){if(e===R)return e;let i=r!==void 0?n._$Co?.[r]:n._$Cl,s=ce(e)?void 0:e._$litDirective$;return i?.constructor!==s&&(i?._$AO?.(!1),s===void 0?i=void 0:(i=new s(t),i._$AT(t,n,r)),r!==void 0?(n._$Co??=[])[r]=i:n._$Cl=i),i!==void 0&&(e=J(t,i._$AS(t,e.values),i,r)),e}var _e=class{constructor(e,n){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:n},parts:r}=this._$AD,i=(e?.creationScope??F).importNode(n,!0);H.currentNode=i;let s=H.nextNode(),o=0,c=0,l=r[0];for(;l!==void 0;){if(o===l.index){let p;l.type===2?p=new Y(s,s.nextSibling,this,e):l.type===1?p=new l.ctor(s,l.name,l.strings,this,e):l.type===6&&(p=new Se(s,this,e)),this._$AV.push(p),l=r[++c]}o!==l?.index&&(s=H.nextNode(),o++)}return H.currentNode=F,i}p(e){let n=0;for(let r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(e,r,n),n+=r.strings.length-2):r._$AI(e[n])),n++}},Y=class t{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,n,r,i){this.type=2,this._$AH=d,this._$AN=void 0,this._$AA=e,this._$AB=n,this._$AM=r,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,n=this._$AM;return n!==void 0&&e?.nodeType===11&&(e=n.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,n=this){e=J(this,e,n),ce(e)?e===d||e==null||e===""?(this._$AH!==d&&this._$AR(),this._$AH=d):e!==this._$AH&&e!==R&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):en(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==d&&ce(this._$AH)?this._$AA.nextSibling.data=e:this.T(F.createTextNode(e)),this._$AH=e}$(e){let{values:n,_$litType$:r}=e,i=typeof r=="number"?this._$AC(e):(r.el===void 0&&(r.el=ue.createElement(nn(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===i)this._$AH.p(n);else{let s=new _e(i,this),o=s.u(this.options);s.p(n),this.T(o),this._$AH=s}}_$AC(e){let n=Xt.get(e.strings);return n===void 0&&Xt.set(e.strings,n=new ue(e)),n}k(e){$t(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let s of e)i===n.length?n.push(r=new t(this.O(le()),this.O(le()),this,this.options)):r=n[i],r._$AI(s),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let r=Bt(e).nextSibling;Bt(e).remove(),e=r}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},W=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,n,r,i,s){this.type=1,this._$AH=d,this._$AN=void 0,this.element=e,this.name=n,this._$AM=i,this.options=s,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=d}_$AI(e,n=this,r,i){let s=this.strings,o=!1;if(s===void 0)e=J(this,e,n,0),o=!ce(e)||e!==this._$AH&&e!==R,o&&(this._$AH=e);else{let c=e,l,p;for(e=s[0],l=0;l<s.length-1;l++)p=J(this,c[r+l],n,l),p===R&&(p=this._$AH[l]),o||=!ce(p)||p!==this._$AH[l],p===d?e=d:e!==d&&(e+=(p??"")+s[l+1]),this._$AH[l]=p}o&&!i&&this.j(e)}j(e){e===d?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Ae=class extends W{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===d?void 0:e}},Te=class extends W{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==d)}},Ee=class extends W{constructor(e,n,r,i,s){super(e,n,r,i,s),this.type=5}_$AI(e,n=this){if((e=J(this,e,n,0)??d)===R)return;let r=this._$AH,i=e===d&&r!==d||e.capture!==r.capture||e.once!==r.once||e.passive!==r.passive,s=e!==d&&(r===d||i);i&&this.element.removeEventListener(this.name,this,r),s&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Se=class{constructor(e,n,r){this.element=e,this.type=6,this._$AN=void 0,this._$AM=n,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(e){J(this,e)}},sn={M:vt,P:M,A:yt,C:1,L:rn,R:_e,D:en,V:J,I:Y,H:W,N:Te,U:Ee,B:Ae,F:Se},or=bt.litHtmlPolyfillSupport;or?.(ue,Y),(bt.litHtmlVersions??=[]).push("3.3.3");var on=(t,e,n)=>{let r=n?.renderBefore??e,i=r._$litPart$;if(i===void 0){let s=n?.renderBefore??null;r._$litPart$=i=new Y(e.insertBefore(le(),s),s,void 0,n??{})}return i._$AI(t),i};var kt=globalThis,y=class extends I{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=on(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return R}};y._$litElement$=!0,y.finalized=!0,kt.litElementHydrateSupport?.({LitElement:y});var ar=kt.litElementPolyfillSupport;ar?.({LitElement:y});(kt.litElementVersions??=[]).push("4.2.2");var an="0 w 2n y c 1 ip 1 14 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 3z 2 6g 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q 6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 1g 2 14 2 a 6 a 6 b 5 a 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l ps 1 oj 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q c 5 1q 2 2e 2 2v 5 17 1 1f 1 16 1 2c c 1b 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w g g a 6 1f 1 j 1 4 4 5 1 3r 4 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 e 1 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts g 1 2 j 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 4 c 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 1c 1 p 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl 2e7 f2 15u 3t7 5 38g jgwg";var Ce;function Pe(t){if(!Ce){let r=0;Ce=an.split(" ").map(i=>r+=parseInt(i,36))}let[e,n]=[0,Ce.length];for(;e<n;){let r=e+n>>1;Ce[r]<=t?e=r+1:n=r}return e%2===1}function dr(t){return Pe(t)&&!/[\p{Zs}\u200c\u200d\ufe0e\ufe0f]/u.test(String.fromCodePoint(t))}var K=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function xt(t){return K.test(t)?"rtl":"ltr"}function _t(t,e){if(/^[ -~]*$/.test(t))return t;let n="";for(let r of t)n+=e(r.codePointAt(0))?ln(r):r;return n}function ln(t){return Array.from({length:t.length},(e,n)=>"\\u"+t.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function h(t){return cr(_t(t,Pe))}function qe(t){let e=h(t);return K.test(e)?`⁨${e}⁩`:e}var cn=t=>t!==9&&t!==10;function V(t){return _t(t,e=>cn(e)&&Pe(e))}var lr=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function L(t){return _t(t.replace(lr,""),e=>cn(e)&&dr(e))}function cr(t){return K.test(t)?t.split(`
`).map(e=>ur(e)?e:Array.from(e,n=>K.test(n)?ln(n):n).join("")).join(`
`):t}function ur(t){let e=0,n=!1;for(let{kind:r,text:i}of At(t)){let s=/\p{L}/u.test(i);if(r==="phrase")e++;else{if(/\p{N}/u.test(i)||s&&e>0&&!n)return!1;s&&(n=!0)}}return e<=1}var Re=K.source,dn=`(?:(?!\\p{N})${Re}|\\p{M})`,pr=new RegExp(`(?<number>(?:(?=\\p{N})${Re})+)|(?<phrase>(?=${Re})${dn}+(?:[,.;:!?]? (?=${Re})${dn}+)*)`,"gu");function At(t){let e=[],n=0,r=i=>{i>n&&e.push({text:t.slice(n,i)})};for(let i of t.matchAll(pr))r(i.index),e.push({kind:i.groups.number===void 0?"phrase":"number",text:i[0]}),n=i.index+i[0].length;return r(t.length),e}function un(t){return t.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(e,n,r,i)=>{let s=i===void 0?[n,r]:[i];if(s[0]===void 0)return e;let o=String.fromCharCode(...s.map(c=>parseInt(c,16)));return K.test(o)&&!Pe(o.codePointAt(0))?o:e})}function B(t){try{return JSON.parse(t)}catch{return}}function f(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:void 0}function $(t){return Array.isArray(t)?t:[]}function u(t){return typeof t=="string"?t:void 0}function Ie(t){if(B(t)===void 0)return V(t);let e="",n=0,r=()=>`
`+"  ".repeat(n);for(let i of t.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(i){case"{":case"[":n++,e+=i+r();break;case"}":case"]":n--,e=/[{[]\s*$/.test(e)?e.trimEnd()+i:e+r()+i;break;case",":e+=i+r();break;case":":e+=": ";break;default:e+=V(i)}return e}var Tt=class{#e="";#t=[];#n=!1;push(e){!this.#n&&e!==""&&(this.#n=!0,e=e.replace(/^\ufeff/,""));let n=this.#e+e,r=[],i=/\r\n|\n|\r(?!$)/g,s=0;for(let o=i.exec(n);o;o=i.exec(n))this.#r(n.slice(s,o.index),r),s=i.lastIndex;return this.#e=n.slice(s),r}#r(e,n){e===""?(this.#t.length>0&&n.push(this.#t.join(`
`)),this.#t=[]):(e==="data"||e.startsWith("data:"))&&this.#t.push(e.slice(5).replace(/^ /,""))}};async function*pn(t){let e=new Tt,n=new TextDecoder,r=t.getReader();try{for(;;){let{done:i,value:s}=await r.read();if(i)return;yield e.push(n.decode(s,{stream:!0}))}}finally{r.cancel().catch(()=>{})}}var pe=class extends Error{constructor(n,r){super(r||"Something went wrong at the server. Try again.");this.status=n}status},hr="The server could not be reached. Check your connection and try again.";async function k(t,e={}){return B(await(await hn(t,e)).text())}async function hn(t,e){let n;try{n=await fetch(t,{cache:"no-store",credentials:"same-origin",...e})}catch(i){throw e.signal?.aborted?i:new pe(0,hr)}if(n.ok)return n;n.status===401&&mr();let r=f(B(await n.text().catch(()=>"")));throw new pe(n.status,u(r?.detail)??u(r?.error))}function mr(){location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)}var fr=429,mn=1e4;async function fn(t,e,n){let r=JSON.stringify({elicitationId:t,action:e,...n&&{content:n}});for(let i=1e3;;i=Math.min(2*i,mn))try{await k(`/answer/${encodeURIComponent(t)}`,{method:"POST",body:r,headers:{"content-type":"application/json"}});return}catch(s){if(!(s instanceof pe)||s.status!==fr)throw s;await bn(i)}}async function gn(t,e,n){for(let r=500;!n.aborted;r=Math.min(2*r,mn)){try{let i=await hn(`/api/elicitations/events?user=${encodeURIComponent(t)}`,{signal:n});for await(let s of pn(i.body)){r=500,e.connected(!0);for(let o of s)gr(e,f(B(o)))}}catch{}if(n.aborted)return;e.connected(!1),await bn(r)}}function gr(t,e){e?.id===void 0?t.reload():t.item(e)}var bn=t=>new Promise(e=>setTimeout(e,t));var x=S`
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
`,_=S`
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
`;var br={questions:"Questions",history:"History",connections:"Connections",permissions:"Permissions",administration:"Administration"},Me=class extends y{static styles=[x,_,S`
      :host {
        display: block;
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
        margin-block-end: 1rem;
        border-block-end: 1px solid var(--_hair);
      }
      nav a {
        padding: 0.6rem 0.8rem;
        border-block-end: 3px solid transparent;
        color: var(--_muted);
        font-weight: 600;
        text-decoration: none;
      }
      nav a:hover {
        color: var(--_text);
      }
      nav a[aria-current="page"] {
        border-color: var(--_accent);
        color: var(--_text);
      }
      .count {
        padding: 0 0.5rem;
        border-radius: 1rem;
        background: var(--_accent);
        color: var(--_accent-text);
        font-size: 0.85em;
      }
      @media (max-width: 30rem) {
        nav {
          gap: 0;
        }
        nav a {
          padding: 0.6rem 0.3rem;
          font-size: 0.8rem;
        }
        nav .count {
          display: none; /* it stands in the header of the page */
        }
      }
    `];static properties={user:{},admin:{type:Boolean},_count:{state:!0},_part:{state:!0}};#e=0;constructor(){super(),this.user=this._count="",this.admin=!1,this._part="questions"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#n),document.addEventListener("visibilitychange",this.#t),this.#e=window.setInterval(this.#t,15e3),this.#n(),this.#t()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#n),document.removeEventListener("visibilitychange",this.#t),window.clearInterval(this.#e)}#t=()=>{document.visibilityState!=="visible"||this._part!=="questions"||k("/api/me/looking",{method:"POST",body:"{}",headers:{"content-type":"application/json"}}).catch(()=>{})};#n=()=>{let e=location.hash.slice(1).split("/")[0];this._part=this.#r().some(([n])=>n===e)?e:"questions"};#r=()=>Object.entries(br).filter(([e])=>e!=="administration"||this.admin);render(){return a`<nav aria-label="Inbox">
        ${this.#r().map(([e,n])=>a`<a href="#${e}" aria-current=${e===this._part?"page":"false"}>${n}
            ${e==="questions"&&this._count?a`<span class="count">${this._count}</span>`:""}</a>`)}
      </nav>
      <parley-inbox-questions .user=${this.user} ?hidden=${this._part!=="questions"} @inbox-count=${this.#s}></parley-inbox-questions>
      ${this.#i()}`}#i(){switch(this._part){case"history":return a`<parley-inbox-history .user=${this.user}></parley-inbox-history>`;case"connections":return a`<parley-inbox-connections .user=${this.user}></parley-inbox-connections>`;case"permissions":return a`<parley-inbox-permissions .user=${this.user}></parley-inbox-permissions>`;case"administration":return a`<parley-inbox-admin></parley-inbox-admin>`;default:return a``}}#s=e=>{this._count=e.detail,document.title=(e.detail?`(${e.detail}) `:"")+document.title.replace(/^\(\d+\+?\) /,"");let n=document.querySelector(".places .count");n&&(n.textContent=e.detail||"0")}};var Le=S`
  form.filter {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: end;
    margin-block-end: 1rem;
  }
  form.filter label,
  .field {
    display: grid;
    gap: 0.2rem;
    flex: 1 1 11rem;
    max-inline-size: 22rem;
    font-size: 0.85rem;
    color: var(--_muted);
  }
  form.filter :is(input, select),
  .field :is(input, select, textarea) {
    color: var(--_text);
    font-size: 0.9375rem;
  }
  h3 {
    margin-block: 1.5rem 0.6rem;
    font-size: 1rem;
  }
  details > summary {
    padding-block: 0.4rem;
    cursor: pointer;
    color: var(--_accent);
  }
  .checks {
    display: grid;
    gap: 0.5rem;
    margin: 0.4rem 0;
    padding: 0;
    list-style: none;
  }
  .checks li {
    display: grid;
    grid-template-columns: 1.6rem minmax(0, 1fr);
  }
  .mark {
    font-weight: 700;
  }
  .wide {
    flex: 1 1 100%;
    min-inline-size: 0;
  }
  .side {
    text-align: end;
  }
  @media (max-width: 30rem) {
    .side {
      text-align: start;
    }
  }
  code {
    padding: 0.05em 0.35em;
    border-radius: 0.3em;
    background: var(--_sunken);
  }
  .words {
    white-space: pre-wrap;
  }
  .scrolls {
    overflow-x: auto;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.875rem;
  }
  th,
  td {
    padding: 0.45rem 0.6rem;
    border-block-end: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
`;var P=S`
  :host {
    display: block;
  }
  h2 {
    font-size: 1.1rem;
    line-height: 1.3;
  }
  .muted,
  .meta {
    color: var(--_muted);
  }
  .meta {
    font-size: 0.85rem;
  }
  .problem,
  .notice {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    padding: 0.6rem 0.9rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
  }
  .problem {
    color: var(--_danger);
  }
  .empty {
    padding: 2.5rem 1rem;
    text-align: center;
    color: var(--_muted);
  }
  .good {
    color: var(--_success);
  }
  .bad {
    color: var(--_danger);
  }
  .things {
    display: grid;
    gap: 0.6rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .thing {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 1rem;
    align-items: start;
    padding: 0.8rem 1rem;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    background: var(--_surface);
    content-visibility: auto;
    contain-intrinsic-size: auto 5rem;
  }
  .thing > .about {
    flex: 1 1 18rem;
    min-inline-size: 0;
  }
  .clip {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    margin-block-end: 0.75rem;
  }
  .bar > h2 {
    flex: 1 1 auto;
  }
  pre {
    max-block-size: 12rem;
    overflow: auto;
    padding: 0.5rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    white-space: pre-wrap;
  }
`,Oe=S`
  .panes {
    display: grid;
    grid-template-columns: minmax(17rem, 24rem) minmax(0, 1fr);
    gap: 1.25rem;
    align-items: start;
  }
  .list {
    margin: 0;
    padding: 0.25rem;
    list-style: none;
    max-block-size: calc(100dvh - 14rem);
    min-block-size: 12rem;
    overflow-y: auto;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
  }
  .list li {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    border-block-end: 1px solid var(--_hair);
    content-visibility: auto;
    contain-intrinsic-size: auto 5.5rem;
  }
  .list li:last-child {
    border-block-end: 0;
  }
  .row {
    flex: 1;
    display: block;
    min-inline-size: 0;
    padding: 0.7rem 0.8rem;
    border: 0;
    font-weight: 400;
    text-align: start;
    background: none;
  }
  .row:focus-visible {
    outline-offset: -3px;
  }
  .row[aria-current="true"] {
    background: var(--_bubble);
  }
  .row strong {
    display: block;
    font-weight: 650;
  }
  .pick {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }
  .pick input {
    inline-size: 1.3rem;
    block-size: 1.3rem;
    accent-color: var(--_accent);
  }
  .more {
    padding: 0.5rem;
    justify-content: center;
  }
  .detail {
    min-inline-size: 0;
  }
  .detail > .meta {
    margin-block-end: 0.6rem;
  }
  .after {
    margin-block-start: 0.9rem;
  }
  .back {
    display: none;
  }
  kbd {
    padding: 0 0.35em;
    border: 1px solid var(--_line);
    border-radius: 0.25em;
    font: 0.85em var(--_mono);
  }
  @media (max-width: 48rem) {
    .panes {
      grid-template-columns: minmax(0, 1fr);
    }
    .list {
      max-block-size: none;
    }
    .detail.none,
    .opened .choose {
      display: none;
    }
    .back {
      display: inline-flex;
      margin-block-end: 0.75rem;
    }
  }
  @media (hover: none) {
    .keys {
      display: none;
    }
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 0.5rem;
    border-block-end: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
  td.words {
    white-space: pre-wrap;
  }
`;function Ue(t){return t?.context.serviceTitle?.trim()||t?.context.service?.trim()||""}function Ne(t){let e=f(t),n=u(e?.elicitationId),r=e?.mode;if(!(!e||!n||r!=="form"&&r!=="url"))return{elicitationId:n,mode:r,message:u(e.message)??"",url:u(e.url),requestedSchema:e.requestedSchema,fieldOrder:e.fieldOrder===void 0?void 0:$(e.fieldOrder).flatMap(i=>u(i)??[]),expiresAt:u(e.expiresAt),context:yr(f(e.context)??{}),approvers:vr(e.approvers),outcome:$r(e.outcome)}}function vr(t){let e=f(t),n=e?.need;if(!e||typeof n!="number")return;let r=$(e.people).flatMap(i=>{let s=f(i),o=u(s?.name);if(!s||!o)return[];let c=u(s.decision);return[{name:o,decision:c,late:c===void 0&&u(s.at)!==void 0}]});return{need:n,people:r}}function yr(t){let e=t.arguments;return{trigger:u(t.trigger),service:u(t.service),serviceTitle:u(t.serviceTitle),account:u(t.account),tool:u(t.tool),toolCallId:u(t.toolCallId),parentToolCallId:u(t.parentToolCallId),arguments:typeof e=="string"||e===void 0?e:JSON.stringify(e),server:u(t.server),domain:u(t.domain),settledBy:u(t.settledBy)}}function $r(t){let e=f(t);if(!e)return;let n=Object.entries(f(e.limits)??{}).flatMap(([o,c])=>typeof c=="string"?[[o,c]]:[]),r={via:u(e.via),reason:u(e.reason),at:u(e.at),decision:u(e.decision),limits:n.length>0?Object.fromEntries(n):void 0},i=e.action;return i==="accept"||i==="decline"||i==="cancel"||i==="expire"?{action:i,by:u(e.by),...r}:{action:"cancel",...r}}function G(t,e){let n=f(t)??{};return{items:$(n.items).flatMap(r=>je(r,e)??[]),next:u(n.next_cursor)}}function je(t,e){let n=f(t),r=u(n?.id);if(!n||!r)return;let i=f(n.labels)??{},s=p=>u(i[p]),o=s("brief"),c=o===void 0?vn(n,i,e):wr(n,i,o,`${e}/answer/${r}`),l=Ne(c);if(l)return{id:r,pending:n.state==="pending",createdAt:u(n.created_at)??"",asker:s("asker")===u(n.to)?void 0:s("asker"),conversation:u(n.session),others:l.context.trigger==="approvers",long:o!==void 0,request:c,question:l}}function vn(t,e,n){let r=u(t.url)?.startsWith(`${n}/`);return{elicitationId:t.id,mode:t.mode,message:t.message,url:t.url,requestedSchema:t.requested_schema,expiresAt:t.expires_at,context:{trigger:t.trigger,service:t.from,serviceTitle:e.title,account:t.to,server:e.server,tool:e.tool,settledBy:r?"page":e.settled_by},outcome:kr(t.outcome)}}function wr(t,e,n,r){return{...vn({...t,url:r},e,new URL(r).origin),mode:"url",message:n,requestedSchema:void 0}}function kr(t){let e=f(t);return e&&{...e,decision:e.decision??f(e.content)?.decision}}var O={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},Z=t=>(...e)=>({_$litDirective$:t,values:e}),U=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,n,r){this._$Ct=e,this._$AM=n,this._$Ci=r}_$AS(e,n){return this.update(e,n)}update(e,n){return this.render(...n)}};var{I:xr}=sn,yn=t=>t;var wn=t=>t.strings===void 0,$n=()=>document.createComment(""),X=(t,e,n)=>{let r=t._$AA.parentNode,i=e===void 0?t._$AB:e._$AA;if(n===void 0){let s=r.insertBefore($n(),i),o=r.insertBefore($n(),i);n=new xr(s,o,t,t.options)}else{let s=n._$AB.nextSibling,o=n._$AM,c=o!==t;if(c){let l;n._$AQ?.(t),n._$AM=t,n._$AP!==void 0&&(l=t._$AU)!==o._$AU&&n._$AP(l)}if(s!==i||c){let l=n._$AA;for(;l!==s;){let p=yn(l).nextSibling;yn(r).insertBefore(l,i),l=p}}}return n},N=(t,e,n=t)=>(t._$AI(e,n),t),_r={},ee=(t,e=_r)=>t._$AH=e,kn=t=>t._$AH,ze=t=>{t._$AR(),t._$AA.remove()};var Q=Z(class extends U{constructor(t){if(super(t),t.type!==O.PROPERTY&&t.type!==O.ATTRIBUTE&&t.type!==O.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!wn(t))throw Error("`live` bindings can only contain a single expression")}render(t){return t}update(t,[e]){if(e===R||e===d)return e;let n=t.element,r=t.name;if(t.type===O.PROPERTY){if(e===n[r])return R}else if(t.type===O.BOOLEAN_ATTRIBUTE){if(!!e===n.hasAttribute(r))return R}else if(t.type===O.ATTRIBUTE&&n.getAttribute(r)===e+"")return R;return ee(t),e}});function te(t,e=[]){let n=f(t);if(!n)return;let r=new Set($(n.required)),i=[],s=c=>e.includes(c)?e.indexOf(c):e.length,o=Object.entries(f(n.properties)??{}).sort(([c],[l])=>s(c)-s(l));for(let[c,l]of o){let p=f(l),g=p&&Ar(p);if(!p||!g)return;i.push(Tr(c,g,p,r.has(c)))}return i}function Ar(t){switch(t.type){case"string":case"number":case"integer":return De(t).length>0?"choice":t.type;case"boolean":return"boolean";case"array":return De(f(t.items)??{}).length>0?"choices":void 0}}function Tr(t,e,n,r){return{name:t,kind:e,required:r,nullable:n.nullable===!0,label:L(u(n.title)||t),description:L(u(n.description)??"")||void 0,format:Er(n.format),minLength:he(n.minLength),maxLength:he(n.maxLength),pattern:u(n.pattern),minimum:xn(n.minimum),maximum:xn(n.maximum),options:De(e==="choices"?f(n.items)??{}:n),minItems:he(n.minItems),maxItems:he(n.maxItems),default:n.default}}function Er(t){return t==="email"||t==="uri"||t==="date"||t==="date-time"?t:void 0}function he(t){return typeof t=="number"?t:void 0}function xn(t){let e=he(t);return e!==void 0&&Math.abs(e)===Number.MAX_SAFE_INTEGER?void 0:e}function _n(t){return typeof t=="number"?String(t):u(t)}function De(t){let e=$(t.oneOf??t.anyOf);if(e.length>0)return e.flatMap(r=>{let i=_n(f(r)?.const);return i===void 0?[]:[{value:i,label:L(u(f(r)?.title)||i)}]});let n=$(t.enumNames);return $(t.enum).flatMap((r,i)=>{let s=_n(r);return s===void 0?[]:[{value:s,label:L(u(n[i])||s)}]})}function me(t){return t.kind==="boolean"&&(t.required||t.nullable)&&t.default===void 0}function An(t){return Object.fromEntries(t.map(e=>[e.name,Sr(e)]))}function Sr(t){let e=t.default;switch(t.kind){case"boolean":return typeof e=="boolean"?e:me(t)?void 0:!1;case"choices":return Array.isArray(e)?t.options.map(n=>n.value).filter(n=>e.includes(n)):[];case"choice":return t.options.find(n=>n.value===String(e))?.value;case"number":case"integer":return typeof e=="number"?String(e):""}return typeof e!="string"?"":t.format==="date-time"?jr(e):e}function He(t,e,n){let r={content:Object.create(null),errors:Object.create(null)};for(let i of t){let{value:s,error:o}=Cr(i,e[i.name],n);o!==void 0?r.errors[i.name]=o:s!==void 0&&(r.content[i.name]=s)}return r}function Fe(t){let e=t.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(e)?`“${e}”`:e}function Cr(t,e,n){let r={error:n("errorRequired",{label:Fe(t.label)})},i=t.nullable?{value:null}:r;switch(t.kind){case"boolean":return e===void 0?t.required?r:{}:{value:e};case"choices":return Rr(t,e??[],n);case"choice":return e!==void 0?{value:e}:t.default!==void 0?i:t.required?r:{}}let s=typeof e=="string"?e:"",o=t.kind==="string"&&t.format===void 0;return(o&&!t.required?s==="":s.trim()==="")?t.required?r:t.default===void 0?{}:t.kind==="string"&&!t.nullable?{value:""}:i:t.kind==="string"?Pr(t,o?s:s.trim(),n):Lr(t,s.trim(),n)}function Rr(t,e,n){let{minItems:r,maxItems:i}=t,s=Fe(t.label);return e.length===0&&!t.required&&t.default===void 0?{}:r!==void 0&&e.length<r?{error:n("errorMinItems",{label:s,n:r})}:i!==void 0&&e.length>i?{error:n("errorMaxItems",{label:s,n:i})}:{value:e}}function Pr(t,e,n){let{minLength:r,maxLength:i}=t,s=Fe(t.label),o=[...e].length;if(r!==void 0&&o<r)return{error:n("errorMinLength",{label:s,n:r})};if(i!==void 0&&o>i)return{error:n("errorMaxLength",{label:s,n:i})};if(t.pattern!==void 0&&!qr(t.pattern,e))return{error:n("errorPattern",{label:s})};switch(t.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(e)?{value:e}:{error:n("errorEmail",{label:s})};case"uri":return Ir(e)?{value:e}:{error:n("errorUri",{label:s})};case"date":return Mr(e)?{value:e}:{error:n("errorDate",{label:s})};case"date-time":{let c=Nr(e);return c?{value:c}:{error:n("errorDateTime",{label:s})}}}return{value:e}}function qr(t,e){try{return new RegExp(t,"u").test(e)}catch{return!0}}function Ir(t){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(t)&&URL.canParse(t)}function Mr(t){let e=new Date(`${t}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(e.valueOf())&&e.toISOString().startsWith(t)}function Lr(t,e,n){let{minimum:r,maximum:i}=t,s=Fe(t.label),o=Or(e);return o===void 0?{error:n(t.kind==="integer"?"errorInteger":"errorNumber",{label:s})}:t.kind==="integer"&&!Number.isInteger(o)?{error:n("errorInteger",{label:s})}:Ur(e)?r!==void 0&&o<r?{error:n("errorMinimum",{label:s,n:r})}:i!==void 0&&o>i?{error:n("errorMaximum",{label:s,n:i})}:{value:o}:{error:n("errorDigits",{label:s})}}function Or(t){let e=t.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(e))return;let n=Number(e);return Number.isFinite(n)?n:void 0}function Ur(t){return t.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(t))&&/^[-+]?\d+$/.test(t)}function Nr(t){let e=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(t),n=new Date(t);if(!(!e||Number.isNaN(n.valueOf())))return`${e[1]}${e[2]??":00"}${Et(n)||"Z"}`}function jr(t){let e=new Date(t);return Number.isNaN(e.valueOf())?"":new Date(e.valueOf()-e.getTimezoneOffset()*6e4).toISOString().slice(0,e.getUTCSeconds()||e.getUTCMilliseconds()?19:16)}function Et(t){let e=-t.getTimezoneOffset();if(e===0)return"";let n=r=>String(Math.floor(r)).padStart(2,"0");return`${e<0?"-":"+"}${n(Math.abs(e)/60)}:${n(Math.abs(e)%60)}`}var En=7;function Je(t){let{field:e}=t;return e.kind==="boolean"&&!me(e)?Vr(t):e.kind==="boolean"?Tn(t,[{value:"true",label:t.say("yes")},{value:"false",label:t.say("no")}]):e.kind==="choices"?Wr(t):e.kind==="choice"&&e.options.length<=En?Tn(t,e.options):a`<div class=${We(t)}>
    <label for=${t.id} dir="auto">${e.label}${Ct(t)}</label>
    ${Ve(t)} ${e.kind==="choice"?Jr(t):Dr(t)}
  </div>`}function Sn(t){let{id:e,field:n}=t;return n.kind==="choices"||me(n)||n.kind==="choice"&&n.options.length<=En?`${e}-0`:e}var We=t=>t.error===void 0?"field":"field wrong",Ct=t=>fe(t.field)?a` <span class="required">${t.say("required")}</span>`:d;function fe(t){return t.required&&(t.kind!=="choices"||(t.minItems??0)>0)}function Ve(t){let{id:e,field:n,error:r,say:i}=t,s=Cn(n,i);return a`
    ${n.description?a`<p class="hint" id="${e}-about" dir="auto">${n.description}</p>`:d}
    ${s?a`<p class="hint" id="${e}-hint">${s}</p>`:d}
    ${r===void 0?d:a`<p class="error" id="${e}-error"><span class="hidden">${i("error")} </span>${r}</p>`}
  `}function ne(t){let e=[];return t.field.description&&e.push(`${t.id}-about`),Cn(t.field,t.say)&&e.push(`${t.id}-hint`),t.error!==void 0&&e.push(`${t.id}-error`),e.length>0?e.join(" "):d}function Cn(t,e){switch(t.kind){case"number":case"integer":return St(t.minimum,t.maximum,e);case"choices":{let n=St(t.minItems||void 0,t.maxItems,e);return n&&e("hintChoices",{range:zr(n)})}case"string":{if(t.format==="date-time")return e("localTime",{offset:Et(new Date)});let n=St(t.minLength!==void 0&&t.minLength>1?t.minLength:void 0,t.maxLength,e);return n&&e("hintLength",{range:n})}}return""}function St(t,e,n){return t!==void 0&&t===e?n("exactly",{low:t}):t!==void 0&&e!==void 0?n("from",{low:t,high:e}):t!==void 0?n("atLeast",{low:t}):e===void 0?"":n("atMost",{high:e})}var zr=t=>t.charAt(0).toLowerCase()+t.slice(1);function Dr(t){let{id:e,field:n,entry:r,enter:i}=t,s=typeof r=="string"?r:"",o=p=>i(p.target.value);if(n.kind==="string"&&n.format===void 0&&Fr(n))return a`<textarea id=${e} rows="4" dir="auto" .value=${Q(s)} @input=${o}
      aria-describedby=${ne(t)} aria-required=${fe(n)} aria-invalid=${t.error!==void 0}></textarea>`;let{type:c,mode:l}=Hr(n);return a`<input id=${e} type=${c} inputmode=${l??d} autocomplete="off" dir="auto"
    spellcheck=${l?"false":d} autocapitalize=${l?"off":d} step=${c==="datetime-local"?"any":d}
    .value=${Q(s)} @input=${o}
    aria-describedby=${ne(t)} aria-required=${fe(n)} aria-invalid=${t.error!==void 0} />`}function Hr(t){if(t.kind==="integer")return{type:"text",mode:(t.minimum??-1)<0?"text":"numeric"};if(t.kind==="number")return{type:"text",mode:(t.minimum??-1)<0?"text":"decimal"};switch(t.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function Fr(t){let e=typeof t.default=="string"?t.default:"";return(t.maxLength??0)>200||(t.minLength??0)>100||e.length>200||e.includes(`
`)}function Jr(t){let{id:e,field:n,entry:r,say:i,enter:s}=t;return a`<select id=${e} @change=${c=>{let l=c.target.selectedIndex-1;s(n.options[l]?.value)}} aria-describedby=${ne(t)}
    aria-required=${fe(n)} aria-invalid=${t.error!==void 0}>
    <option value="" .selected=${r===void 0}>${i("choose")}</option>
    ${n.options.map(c=>a`<option .selected=${c.value===r}>${Rt(c,i)}</option>`)}
  </select>`}var Rt=(t,e)=>t.label.trim()===""?e("emptyOption"):t.label;function Tn(t,e){let{id:n,field:r,entry:i,say:s,enter:o}=t,c=p=>r.kind==="boolean"?p==="true":p,l=!r.required&&r.default===void 0&&!t.sure;return a`<div class=${We(t)} role="radiogroup" aria-labelledby="${n}-label" aria-required=${fe(r)}
    aria-invalid=${t.error!==void 0} aria-describedby=${ne(t)}>
    <div class="legend" id="${n}-label" dir="auto">${r.label}${Ct(t)}</div>
    ${Ve(t)}
    ${e.map((p,g)=>a`<label class="option">
        <input type="radio" id="${n}-${g}" name=${n} .checked=${Q(i===c(p.value))} @change=${()=>o(c(p.value))} />
        <span dir="auto">${Rt(p,s)}</span>
      </label>`)}
    ${l?a`<label class="option">
          <input type="radio" name=${n} .checked=${Q(i===void 0)} @change=${()=>o(void 0)} />
          <span>${s("noAnswer")}</span>
        </label>`:d}
  </div>`}function Wr(t){let{id:e,field:n,say:r,enter:i}=t,s=Array.isArray(t.entry)?t.entry:[],o=(c,l)=>i(n.options.map(p=>p.value).filter(p=>p===c?l:s.includes(p)));return a`<div class=${We(t)} role="group" aria-labelledby="${e}-label" aria-describedby=${ne(t)}>
    <div class="legend" id="${e}-label" dir="auto">${n.label}${Ct(t)}</div>
    ${Ve(t)}
    ${n.options.map((c,l)=>a`<label class="option">
        <input type="checkbox" id="${e}-${l}" .checked=${Q(s.includes(c.value))} aria-invalid=${t.error!==void 0}
          @change=${p=>o(c.value,p.target.checked)} />
        <span dir="auto">${Rt(c,r)}</span>
      </label>`)}
  </div>`}function Vr(t){let{id:e,field:n,entry:r,enter:i}=t;return a`<div class=${We(t)}>
    <label class="option">
      <input type="checkbox" id=${e} .checked=${Q(r===!0)} aria-describedby=${ne(t)} aria-invalid=${t.error!==void 0}
        @change=${s=>i(s.target.checked)} />
      <span class="strong" dir="auto">${n.label}</span>
    </label>
    ${Ve(t)}
  </div>`}var C=t=>A`<svg viewBox="0 0 24 24" aria-hidden="true">${t}</svg>`,T={connect:C(A`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:C(A`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:C(A`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:C(A`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:C(A`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:C(A`<path d="M7 7l10 10M17 7 7 17"/>`),tool:C(A`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:C(A`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:C(A`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:C(A`<path d="M12 5v14M5 12h14"/>`),down:C(A`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:C(A`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),copy:C(A`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:C(A`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:C(A`<path d="m9 6 6 6-6 6"/>`)};function Pt(t){return At(t).map(e=>e.kind===void 0?e.text:a`<bdi dir=${e.kind==="phrase"?"rtl":"ltr"}>${e.text}</bdi>`)}function Pn(t,e){let{question:n,service:r,say:i}=t;return a`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${Br(t)}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${qn(t)}>${ve(t)}</div>
      ${e}
    </header>
    <div class="body">
      ${n.message.trim()===""?d:a`<div class="message">
            ${ge(n)?d:a`<span class="from isolate" dir=${xt(i("says",{service:""}))}>${i("says",{service:r})}</span>`}
            ${Qr(n)}
          </div>`}
      ${Yr(t)}
      ${n.context.account?a`<p class="account">${i("account")} <bdi>${h(n.context.account)}</bdi></p>`:d}
    </div>
  </div>`}function Br({kind:t,question:e}){return e.context.trigger==="tool_approval"?T.approval:t==="waiting"?T.clock:t==="unsupported"?T.form:T[t]}var ge=({context:t})=>(t.trigger==="tool_approval"||t.trigger==="approvers")&&t.server!==void 0;function Qr(t){let{message:e,context:n}=t;if(n.trigger!=="tool_approval"&&!ge(t))return a`<div class="words" dir="auto">${L(e)}</div>`;let r=Pt(V(un(e)));return ge(t)?a`<div class="words exact whole" dir="ltr" tabindex="0" role="region" aria-labelledby="title">${r}</div>`:a`<div class="words exact" dir="ltr">${r}</div>`}var qn=t=>xt(ve({...t,service:""}));function ve(t){let{kind:e,question:n,service:r,say:i}=t,{trigger:s}=n.context;return s==="tool_approval"?i("approvalTitle",{service:r}):s==="approvers"?i("waitingTitle",{service:r}):e==="connect"?i(s==="credential_required"?"connectTitle":"visitTitle",{service:r}):i("formTitle",{service:r})}function In(t,e){let n={good:T.done,bad:T.no,neutral:T.clock}[e.tone];return a`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${e.tone}">${n}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${qn(t)}>${ve(t)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${e.sentence}</span>
      </div>
    </header>
  </div>`}var j=t=>t===void 0?d:a`<p class="problem">${T.warning}<span>${t}</span></p>`;function Yr(t){switch(t.kind){case"connect":return Kr(t);case"approval":return a`${ge(t.question)?d:Rn(t)} ${Xr(t)}`;case"waiting":return a`${Zr(t)} ${j(t.problem)}
        <div class="buttons">${be(t,"takeBack")}</div>`;case"form":return a`${t.question.context.trigger==="tool_approval"&&!ge(t.question)?Rn(t):d} ${ri(t)}`;case"unsupported":return a`<p>${t.say("unsupported")} <a href=${t.hosted} target="_blank" rel="noopener">${t.say("hosted")}</a></p>
        ${j(t.problem)}
        <div class="buttons">${be(t,"decline")}</div>`}}function Kr(t){let{address:e,say:n}=t;if(!e)return a`${j(n("unsafe"))} ${j(t.problem)}
      <div class="buttons">${be(t,"dismiss")}</div>`;let r=n(t.question.context.trigger==="credential_required"?"connect":"visit");return a`
    <dl>
      <div>
        <dt>${n("address")}</dt>
        <dd><code class="address">${e.before}<strong>${e.trust}</strong>${e.after}</code></dd>
      </div>
    </dl>
    ${e.insecure?a`<p class="warn">${T.warning}<span>${n("insecure")}</span></p>`:d} ${Gr(t,e)} ${j(t.problem)}
    <div class="buttons">
      ${e.foreign?a`<a class="button primary" id="go" href=${e.href} target="_blank" rel="noopener noreferrer"
            @click=${t.open}>${r}</a>`:a`<button type="button" class="primary" id="go" @click=${t.open}>
            ${t.phase==="opened"?n("openAgain"):r}
          </button>`}
      ${be(t,"dismiss")}
    </div>
  `}function Gr(t,e){let{say:n,phase:r}=t,i=a`<a href=${e.href}>${n("sameWindow")}</a>`;switch(r){case"opened":return a`<p class="status">
        ${T.clock}<span>${n(e.foreign?"openedTab":"opened")} ${e.foreign?d:i}</span>
      </p>`;case"blocked":return j(a`${n("blocked")} ${i}`);case"confirming":return a`<p class="status">${T.clock}<span>${n("confirming")}</span></p>`}return d}function Rn(t){let{context:e}=t.question,{say:n}=t,r=Ie(e.arguments??""),i=r.split(`
`).length;return a`<dl>
    ${e.tool===void 0?d:a`<div>
          <dt>${n("toolLabel")}</dt>
          <dd><code><bdi>${h(e.tool)}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${i>8?n("argumentLines",{n:i}):n("arguments")}</dt>
      <dd>
        ${r===""?n("noArguments"):a`<pre class="arguments" tabindex="0" role="region" aria-labelledby="arguments">${Pt(r)}</pre>`}
      </dd>
    </div>
  </dl>`}function Zr({question:t,say:e}){let n=t.approvers;if(!n)return d;let r=n.people.filter(i=>i.decision==="allow_once").length;return a`<div class="panel">
    <p id="panel" aria-live="polite">${e("approversHave",{have:r,need:n.need})}</p>
    <ul aria-labelledby="panel">
      ${n.people.map(i=>{let s=i.decision==="allow_once"?"good":i.decision==="deny"?"bad":"neutral",o={good:T.done,bad:T.no,neutral:T.clock}[s],c=s==="good"?"approverAllowed":s==="bad"?"approverDenied":i.late?"approverLate":"approverAsked";return a`<li class=${s}>${o}<bdi>${h(i.name)}</bdi><span>${e(c)}</span></li>`})}
    </ul>
  </div>`}function Xr(t){let e=t.fields[0].options,n=e.find(r=>r.value==="asked_back");return a`${j(t.problem)}<div class="buttons">${e.filter(r=>r!==n).map(r=>Mn(t,r))}</div>
  ${ti(t)}${ei(t,n)}`}function Mn({say:t,phase:e,decide:n},{value:r,label:i}){return a`<button type="button" class=${r==="allow_once"?"primary":""} data-decision=${r}
    aria-disabled=${e==="sending"} @click=${()=>n(r)}>
    ${i===r&&ni(r)?t(r):h(i)}
  </button>`}function ei(t,e){let{fields:n,entries:r,errors:i,say:s,enter:o}=t,c=n.filter(l=>l.kind==="string");return c.length===0&&!e?d:a`<details class="narrow">
    <summary>${s("remark")}</summary>
    <div class="form">
      ${c.map(l=>Je({id:`field-${n.indexOf(l)}`,field:l,entry:r[l.name],error:i[l.name],say:s,enter:p=>o(l.name,p)}))}
      ${e?a`<div class="buttons">${Mn(t,e)}</div>`:d}
    </div>
  </details>`}function ti(t){let{fields:e,entries:n,errors:r,say:i}=t,s=e.slice(1).filter(o=>o.kind==="choice");return s.length===0?d:a`<details class="narrow">
    <summary>${i("narrow")}</summary>
    <div class="form">
      ${s.map(o=>Je({id:`field-${e.indexOf(o)}`,field:o,entry:n[o.name],error:r[o.name],say:i,sure:!0,enter:c=>t.enter(o.name,c)}))}
      ${s.some(o=>n[o.name]!==void 0)?a`<div class="buttons"><button type="button" @click=${()=>s.forEach(o=>t.enter(o.name,void 0))}>${i("noLimits")}</button></div>`:d}
    </div>
  </details>`}function ni(t){return t==="allow_once"||t==="always_allow"||t==="deny"||t==="asked_back"}function ri(t){let{fields:e,entries:n,errors:r,say:i}=t;return a`<form class="form" novalidate @submit=${t.submit}>
    ${e.map((s,o)=>Je({id:`field-${o}`,field:s,entry:n[s.name],error:r[s.name],say:i,enter:c=>t.enter(s.name,c)}))}
    ${j(t.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${t.phase==="sending"}>${i(t.phase==="sending"?"sending":"submit")}</button>
      ${be(t,"decline")}
    </div>
  </form>`}function be(t,e){return a`<button type="button" class="quiet" id="decline" aria-disabled=${t.phase==="sending"} @click=${t.decline}>
    ${t.say(e)}
  </button>`}function Be(t,e,n,r){let i=oi(e,n,r),s=t.context.trigger==="credential_required";if(t.context.trigger==="approvers")return ii(e,i,r);switch(e.action){case"accept":return n.answered&&n.decision!==void 0?Ln(n.decision,n.chosen,"",r):e.decision!==void 0?Ln(e.decision,si(t,e),i,r):s?{tone:"good",sentence:r("connected",{place:i})}:{tone:"good",sentence:r(t.mode==="url"?"visited":"answered",{place:i})};case"decline":return{tone:"bad",sentence:r(s?"notConnected":"declined",{place:i})};case"expire":return{tone:"neutral",sentence:r("expired")}}return e.by?{tone:"neutral",sentence:r("cancelled",{place:i})}:{tone:"neutral",sentence:r(e.reason==="superseded"?"superseded":"withdrawn")}}function ii(t,e,n){if(t.action==="expire")return{tone:"neutral",sentence:n("expired")};if(t.by)return{tone:"neutral",sentence:n("takenBack",{place:e})};let r=h(t.reason??"");return t.action==="accept"?{tone:"good",sentence:n("othersAllowed",{reason:r})}:t.action==="decline"?{tone:"bad",sentence:n("othersDenied",{reason:r})}:{tone:"neutral",sentence:n("withdrawn")}}function si(t,{decision:e,limits:n}){return qt(te(t.requestedSchema)??[],{...n,decision:e})}function qt(t,e){return t.flatMap(({name:r,options:i})=>i.find(s=>s.value===e[r]&&s.label!==s.value)?.label??[]).map(h).join(" · ")}function Ln(t,e,n,r){switch(t){case"allow_once":return{tone:"good",sentence:r("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:e?r("allowed_as",{chosen:e,place:n}):r("allowed_always",{place:n})};case"asked_back":return{tone:"neutral",sentence:r("asked_back_done",{place:n})};case"deny":return{tone:"bad",sentence:r("denied",{place:n})}}return{tone:"good",sentence:r("answered",{place:n})}}function oi(t,e,n){if(e.answered)return"";switch(t.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return e.watched?n("elsewhere"):""}return n("elsewhere")}var Qe=t=>e=>e.n===1?`1 ${t}`:`${e.n} ${t}s`,On=Qe("character"),Un=Qe("choice"),ai=t=>t<60?Qe("second")({n:t}):Qe("minute")({n:t/60}),di={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:t=>t.n===1?"A question waits for you":`${t.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",image:"Image",imageGone:"{name} cannot be shown.",progressOf:"{done} of {total}",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",waitingTitle:"Others decide about {service}",approversHave:"Allowed by {have} of the {need} who are needed.",approverAllowed:"allowed it",approverDenied:"denied it",approverAsked:"is asked",approverLate:"did not answer in time",othersAllowed:"Allowed: {reason}.",othersDenied:"Not allowed: {reason}.",takenBack:"You took it back{place}.",takeBack:"Take it back",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send answer",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",noLimits:"Take the limits back",remark:"Say why, or ask back",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",deny:"Deny",asked_back:"Ask back",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:t=>`${ai(Number(t.n))} left to answer ${t.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",asked_back_done:"You asked back{place}: the call was not made.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:t=>`${t.label} must be at least ${On(t)} long.`,errorMaxLength:t=>`${t.label} must be at most ${On(t)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:t=>`${t.label} must have at least ${Un(t)}.`,errorMaxItems:t=>`${t.label} must have at most ${Un(t)}.`};function Ye(t){return(e,n={})=>{let r=t?.[e]??di[e];return typeof r=="function"?r(n):r.replace(/\{(\w+)\}/g,(i,s)=>s in n?String(n[s]):i)}}var It=Ye({allowed_once:"Allowed once{place}.",allowed_always:"Allowed from now on{place}.",allowed_as:"Chosen{place}: {chosen}.",denied:"Denied{place}.",notConnected:"Not connected: dismissed{place}."}),li=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"});function E(t){let e=new Date(t??"");return Number.isNaN(e.valueOf())?"":li.format(e)}var Mt=t=>qe(Ue(t)||It("someone"));function z({question:t}){return ve({kind:t.mode==="url"?"connect":"form",question:t,service:Mt(t),say:It})}var re=({question:t})=>h(t.message),ci={inbox:"in the inbox",page:"on its page",chat:"in the chat",slack:"in Slack",terminal:"in the terminal"};function Ke({question:t}){let e=t.outcome;if(!e)return{tone:"neutral",sentence:"",where:""};let n=Be(t,{...e,via:"chat"},{answered:!1,watched:!1},It),r=e.by?`by ${h(e.by)}`:"",i=e.via?ci[e.via]??`through ${h(e.via)}`:"";return{...n,where:[r,i,E(e.at)].filter(s=>s!=="").join(" · ")}}var ui={pending:"Open",settled:"Settled","":"All"},Ze=class extends y{static styles=[x,_,P,Le];#e="pending";#t="";#n=[];#r;#i=!1;#s;#a="";#o="";#l=0;firstUpdated(){this.#c(!0)}async#c(e){let n=++this.#l;this.#i=!0,this.#s=void 0,this.requestUpdate();try{let r=new URLSearchParams({limit:"50",...this.#e&&{state:this.#e},...this.#t&&{user:this.#t},...!e&&this.#r&&{cursor:this.#r}}),i=G(await k(`/api/elicitations?${r}`),location.origin);if(n!==this.#l)return;this.#n=e?i.items:[...this.#n,...i.items],this.#r=i.next}catch(r){if(n!==this.#l)return;this.#s=r.message}this.#i=!1,this.requestUpdate()}#u=e=>{e.preventDefault();let n=this.renderRoot.querySelector("form"),r=new FormData(n);this.#e=String(r.get("state")??""),this.#t=String(r.get("user")??"").trim(),this.#c(!0)};render(){let e=this.#n.length===0&&!this.#i&&!this.#s&&!this.#r;return a`<div class="bar"><h2 tabindex="-1">Questions of the tenant</h2></div>
      <form class="filter" @submit=${this.#u}>
        <label>Which<select name="state" @change=${this.#u}>${Object.entries(ui).map(([n,r])=>a`<option value=${n} ?selected=${n===this.#e}>${r}</option>`)}</select></label>
        <label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
        <button>Show</button>
      </form>
      <div role="status" class="meta">${this.#o}</div>
      ${e?a`<p class="empty">No such question is there.</p>`:d}
      <ul class="things">${this.#n.map(n=>this.#g(n))}</ul>
      ${this.#s?a`<p class="problem" role="alert">${this.#s}</p>`:d}
      ${this.#r||this.#s?a`<p><button type="button" @click=${()=>{this.#c(!1)}}>${this.#i?"Reading…":"Show more"}</button></p>`:d}`}#g(e){let n=e.question.context.account,r=Ke(e);return a`<li class="thing">
      <div class="about">
        <strong dir="auto">${Ge(e)}</strong>
        <div class="clip" dir="auto">${re(e)}</div>
        <div class="meta">To ${n?h(n):"a group"} · asked ${E(e.createdAt)}${e.asker?` for ${h(e.asker)}`:""}${e.pending?` · open until ${E(e.question.expiresAt)}`:""}</div>
      </div>
      <div class="side">
        ${e.pending?this.#m(e):a`<span class=${r.tone}>${r.sentence}</span><div class="meta">${r.where}</div>`}
      </div>
    </li>`}#m(e){let n=r=>()=>{this.#a=r,this.requestUpdate()};return this.#a!==e.id?a`<button type="button" aria-label="Withdraw: ${Ge(e)}" @click=${n(e.id)}>Withdraw</button>`:a`<button type="button" class="primary" aria-label="Really withdraw: ${Ge(e)}" @click=${()=>{this.#p(e)}}>Really withdraw</button>
      <button type="button" class="quiet" @click=${n("")}>Keep</button>`}async#p(e){this.#a="";try{await k(`/api/elicitations/${encodeURIComponent(e.id)}/cancel`,{method:"POST"}),this.#o=`Withdrawn: ${Ge(e)}.`}catch(n){this.#o=n.message}await this.#c(!0),this.renderRoot.querySelector("h2")?.focus()}};function Ge({question:t}){let{trigger:e,tool:n}=t.context,r=Mt(t);return e==="credential_required"?`Account for ${r}`:e==="approvers"?`Waiting for others: ${r}`:e==="tool_approval"?n?`Approval of ${h(n)}, ${r}`:`Approval for ${r}`:`Question of ${r}`}function Lt(t){return $(t).flatMap(e=>{let n=f(e);return n?[n]:[]})}var Xe=t=>Lt(f(t)?.items);var pi={up:["good","Up"],down:["bad","Down"],needs_connection:["bad","Nobody has provided the credential that it takes"],unknown:["muted","Not looked at yet"]},et=class extends y{static styles=[x,_,P,Le];#e;#t=[];#n=new Map;#r;firstUpdated(){this.#i()}async#i(){this.#r=void 0;try{let[e,n]=await Promise.all([k("/api/servers"),k("/api/providers")]);this.#e=Xe(e),this.#t=Xe(n)}catch(e){this.#r=e.message}this.requestUpdate()}async#s(e,n=!1){if(!(this.#n.has(e)&&!n)){this.#n.set(e,{}),this.requestUpdate();try{this.#n.set(e,f(await k(`/api/servers/${encodeURIComponent(e)}/checklist?metadata=true`))??{})}catch(r){this.#n.set(e,r.message)}this.requestUpdate()}}render(){return a`<div class="bar"><h2>Servers</h2><button type="button" @click=${()=>{this.#i()}}>Look again</button></div>
      ${this.#r?a`<p class="problem" role="alert">${this.#r}</p>`:d}
      ${this.#e?.length===0?a`<p class="empty">There is no server. Add one in the configuration, or with POST /api/servers.</p>`:d}
      <ul class="things">${this.#e?.map(e=>this.#a(e))}</ul>
      ${this.#e?a`<h3>Providers</h3>`:d}
      ${this.#e&&this.#t.length===0?a`<p class="muted">There is no OAuth provider. Servers with auth.type mcp name theirs themselves.</p>`:d}
      <ul class="things">${this.#t.map(fi)}</ul>`}#a(e){let n=u(e.name)??"",r=f(e.status)??{},i=f(e.auth)??{},[s,o]=pi[e.enabled===!1?"":u(r.state)??""]??["muted",e.enabled===!1?"Disabled":""],c=$(e.agents).flatMap(p=>u(p)??[]),l=u(r.error);return a`<li class="thing">
      <div class="about">
        <strong>${h(u(e.title)??n)}</strong>
        <div class="meta">${h(u(e.url)??"a program of the configuration")}</div>
        <div class="meta">
          Calls need an approval: ${h(u(e.approve)??"")} · credential: ${hi(i)}${c.length>0?` · agents: ${c.map(h).join(", ")}`:""}
          · from the ${e.source==="api"?"API":"configuration"}
        </div>
      </div>
      <div class="side">
        <span class=${s}>${o}</span>
        <div class="meta">${typeof r.tools=="number"?`${r.tools} tools`:""}${r.since?` since ${E(u(r.since))}`:""}</div>
      </div>
      ${l?a`<p class="wide bad" dir="auto">${h(l)}</p>`:d} ${mi(r)}
      <details class="wide" @toggle=${p=>p.target.open&&void this.#s(n)}>
        <summary>Setup checklist<span class="hidden"> of ${h(n)}</span></summary>
        ${this.#o(n)}
      </details>
    </li>`}#o(e){let n=this.#n.get(e);if(typeof n=="string")return a`<p class="problem" role="alert">${n}</p>`;let r=Xe(n);if(r.length===0)return a`<p class="muted" role="status">Looking…</p>`;let i=u(n?.redirect_uri);return a`<p class=${n?.ready===!0?"good":"bad"} role="status">
        ${n?.ready===!0?"Everything is there. The chat asks people to connect.":"Something is missing before people can connect in the chat."}
      </p>
      ${i?a`<p>Register this redirect URI, to the letter: <code>${i}</code></p>`:d}
      <ul class="checks">
        ${r.map(s=>{let o=s.ok===!0;return a`<li>
            <span class="mark ${o?"good":"bad"}" aria-hidden="true">${o?"✓":"✗"}</span>
            <div><span class="hidden">${o?"Done: ":"Missing: "}</span>${h(u(s.detail)??"")}${s.fix?a`<div class="meta">${h(u(s.fix)??"")}</div>`:d}</div>
          </li>`})}
      </ul>
      <p><button type="button" @click=${()=>{this.#s(e,!0)}}>Check again<span class="hidden"> ${h(e)}</span></button></p>`}};function hi(t){let e=u(t.type)??"none";if(e==="none")return"none";let n={user:"each person's own",mentor:"each agent's own",platform:"one for all"},r=e==="bearer"||e==="api_key"?t.has_token===!0?", stored":t.scope==="platform"?", not stored here":"":"";return`${h(e)}, ${n[u(t.scope)??""]??""}${r}`}function mi(t){let e=Lt(t.left_out);if(e.length===0)return d;let n=typeof t.left_out_count=="number"?t.left_out_count:e.length;return a`<details class="wide">
    <summary>${n} left out of what it lists</summary>
    <ul class="checks">
      ${e.map(r=>a`<li>
          <span class="mark" aria-hidden="true">–</span>
          <div>${h(u(r.kind)??"")} <code>${h(u(r.name)||"without a name")}</code>${r.part?`, its ${h(u(r.part)??"")}`:""}: <span dir="auto">${h(u(r.reason)??"")}</span></div>
        </li>`)}
    </ul>
    ${n>e.length?a`<p class="meta">These are the first ${e.length}.</p>`:d}
  </details>`}function fi(t){let e=$(t.scopes).flatMap(i=>u(i)??[]),n=u(t.client_id),r=t.has_secret===!0;return a`<li class="thing">
    <div class="about">
      <strong>${h(u(t.title)??u(t.name)??"")}</strong>
      <div class="meta">${h(u(t.auth_url)??"")} · from the ${t.source==="api"?"API":"configuration"}</div>
      ${e.length>0?a`<div class="meta">Scopes: ${e.map(h).join(", ")}</div>`:d}
    </div>
    <ul class="checks wide">
      <li><span class="mark ${n?"good":"bad"}" aria-hidden="true">${n?"✓":"✗"}</span><div>${n?a`Client id <code>${h(n)}</code>`:"The client id is missing."}</div></li>
      <li>
        <span class="mark ${r?"good":"muted"}" aria-hidden="true">${r?"✓":"–"}</span>
        <div>${r?"The client secret is stored. It is never shown.":"No client secret is stored: that is right for a public client only."}</div>
      </li>
      <li><span class="mark" aria-hidden="true">→</span><div>Register this redirect URI, to the letter: <code>${u(t.redirect_uri)??""}</code></div></li>
    </ul>
  </li>`}var Nn={servers:"Servers",questions:"Questions"},Ot=class extends y{static styles=[x,_,P,S`
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
        margin-block-end: 1rem;
      }
      nav a {
        padding: 0.35rem 0.8rem;
        border: 1px solid var(--_line);
        border-radius: 2rem;
        color: var(--_text);
        text-decoration: none;
      }
      nav a[aria-current="page"] {
        border-color: var(--_accent);
        background: var(--_accent);
        color: var(--_accent-text);
      }
    `];static properties={_part:{state:!0}};constructor(){super(),this._part="servers"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#e),this.#e()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#e)}#e=()=>{let e=location.hash.split("/")[1]??"";this._part=e in Nn?e:"servers"};render(){return a`<nav aria-label="Administration">
        ${Object.entries(Nn).map(([e,n])=>a`<a href="#administration/${e}" aria-current=${e===this._part?"page":"false"}>${n}</a>`)}
      </nav>
      ${this.#t()}`}#t(){return this._part==="questions"?a`<parley-admin-questions></parley-admin-questions>`:a`<parley-admin-servers></parley-admin-servers>`}};function jn(){customElements.define("parley-admin-servers",et),customElements.define("parley-admin-questions",Ze),customElements.define("parley-inbox-admin",Ot)}var ie=class extends y{static styles=[x,_,P];static properties={user:{}};#e;#t;#n="";#r;firstUpdated(){this.#i()}async#i(){await this.#s(async()=>{let e=f(await k(`${this.path}?${new URLSearchParams({user:this.user})}`));this.#e=$(e?.items).flatMap(n=>[f(n)??{}])})}async#s(e){this.#t=void 0;try{await e()}catch(n){this.#t=n.message}this.requestUpdate()}render(){let e=this.#e;return a`<div class="bar"><h2 tabindex="-1">${this.words.title}</h2></div>
      ${this.#t?a`<p class="problem" role="alert">${this.#t} <button type="button" @click=${()=>{this.#i()}}>Try again</button></p>`:d}
      <div role="status" class="meta">${this.#n}</div>
      ${e?.length===0?a`<p class="empty">${this.words.none}</p>`:d}
      <ul class="things">
        ${e?.map(n=>a`<li class="thing">
            <div class="about">${this.about(n)}</div>
            <div>${this.#a(n)}</div>
          </li>`)}
      </ul>`}#a(e){let n=this.key(e),r=this.called(e),i=s=>()=>{this.#r=s,this.requestUpdate()};return this.#r!==n?a`<button type="button" aria-label="${this.words.take}: ${r}" @click=${i(n)}>${this.words.take}</button>`:a`<button type="button" class="primary" aria-label="${this.words.sure}: ${r}" @click=${()=>{this.#o(e)}}>${this.words.sure}</button>
      <button type="button" class="quiet" @click=${i(void 0)}>Keep</button>`}async#o(e){this.#r=void 0,await this.#s(async()=>{let n=f(await k(this.removal(e),{method:"DELETE"}));this.#n=u(n?.warning)??`Done: ${this.called(e)}.`,await this.#i()}),this.renderRoot.querySelector("h2")?.focus()}};var gi={active:"Connected",expired:"Expired: connect it again",rejected:"Not accepted any more: connect it again",revoked:"Revoked",insufficient_scope:"It may do less than is needed: connect it again"},tt=class extends ie{path="/api/connections";words={title:"Connected accounts",none:"No account of yours is connected. You are asked when one is needed.",take:"Disconnect",sure:"Really disconnect"};key(e){return u(e.server)??""}called(e){return h(this.key(e))}removal(e){return`/api/connections/${encodeURIComponent(this.key(e))}?${new URLSearchParams({scope:"user",owner:this.user})}`}about(e){let n=$(e.scopes).flatMap(s=>u(s)??[]),r=u(e.provider)??u(e.issuer),i=u(e.status)??"";return a`<strong>${this.called(e)}</strong>
      <div class=${i==="active"?"good":"bad"}>${gi[i]??h(i)}</div>
      <div class="meta">Used for calls of ${this.called(e)} on your behalf${r?`, through ${h(r)}`:""}.</div>
      ${n.length>0?a`<div class="meta">It may: ${n.map(h).join(", ")}</div>`:d}
      <div class="meta">Connected ${E(u(e.created_at))}${e.updated_at?` · renewed ${E(u(e.updated_at))}`:d}</div>`}};var nt=class extends y{static styles=[x,_,P];static properties={user:{}};#e=[];#t;#n=!1;#r;firstUpdated(){this.#i()}async#i(){if(!this.#n){this.#n=!0,this.#r=void 0,this.requestUpdate();try{let e=new URLSearchParams({state:"settled",user:this.user,limit:"50",...this.#t&&{cursor:this.#t}}),n=G(await k(`/api/elicitations?${e}`),location.origin);this.#e=[...this.#e,...n.items],this.#t=n.next}catch(e){this.#r=e.message}this.#n=!1,this.requestUpdate()}}render(){return a`<div class="bar"><h2>What was settled</h2></div>
      ${this.#e.length===0&&!this.#n&&!this.#r&&!this.#t?a`<p class="empty">Nothing was asked of you yet, or it was forgotten.</p>`:d}
      <ul class="things">${this.#e.map(bi)}</ul>
      ${this.#r?a`<p class="problem" role="alert">${this.#r}</p>`:d}
      ${this.#t||this.#r?a`<p><button type="button" @click=${()=>{this.#i()}}>${this.#n?"Reading…":"Show more"}</button></p>`:d}`}};function bi(t){let e=Ke(t);return a`<li class="thing">
    <div class="about">
      <strong dir="auto">${z(t)}</strong>
      <div class="clip" dir="auto">${re(t)}</div>
      <div class="meta">Asked ${E(t.createdAt)}${t.asker?` for ${h(t.asker)}`:""} · <a href="/answer/${t.id}">Its page</a></div>
    </div>
    <div>
      <span class=${e.tone}>${e.sentence}</span>
      <div class="meta">${e.where}</div>
    </div>
  </li>`}var vi=4;function Ut({question:t,long:e,others:n},r){if(n)return;let i=t.mode==="form"?te(t.requestedSchema)?.[0]:void 0;return t.context.trigger==="tool_approval"&&!e&&i?.name==="decision"&&i.options.some(o=>o.value===r)?{action:"accept",content:{decision:r}}:r==="deny"?{action:"decline"}:void 0}var rt=class extends y{static styles=[x,_,P,Oe];static properties={items:{attribute:!1}};#e=[];#t=new Map;#n="asking";focus(){this.updateComplete.then(()=>this.renderRoot.querySelector("h2")?.focus())}willUpdate(){this.#n==="asking"&&(this.#e=this.items)}render(){let e=this.#e.filter(n=>!Ut(n,"allow_once")).length;return a`<h2 tabindex="-1">${this.#e.length} questions</h2>
      ${e>0&&this.#n==="asking"?a`<p class="muted">${e} of them cannot be allowed from here. They stay open when you allow the others, and are declined, where that is possible, when you deny them all.</p>`:d}
      <div class="bar">${this.#i(e)}</div>
      <div role="status" class="meta">${this.#s()}</div>
      <table>
        <thead>
          <tr><th scope="col">Question</th><th scope="col">What it says</th><th scope="col">Result</th></tr>
        </thead>
        <tbody>
          ${this.#e.map(n=>this.#r(n))}
        </tbody>
      </table>`}#r(e){let n=this.#t.get(e.id),r=e.question.context.trigger==="tool_approval";return a`<tr>
      <td>${z(e)}</td>
      <td class="words" dir="auto">${r?V(e.question.message):L(e.question.message)}</td>
      <td class=${n?.tone??""}>${n?.text??"Open"}</td>
    </tr>`}#i(e){if(this.#n==="done")return a`<button type="button" class="primary" @click=${()=>this.#l("inbox-done","")}>Back to the list</button>`;let n=this.#n==="sending";return a`<button type="button" id="allow" aria-disabled=${n||e===this.#e.length} @click=${()=>{this.#a("allow_once")}}>
        Allow each once
      </button>
      <button type="button" id="deny" aria-disabled=${n} @click=${()=>{this.#a("deny")}}>Deny each</button>`}#s(){if(this.#n==="asking")return"";let e=[...this.#t.values()].filter(n=>n.tone==="bad").length;return`${this.#t.size} of ${this.#e.length} done${e>0?`, ${e} not as you said`:""}.`}async#a(e){if(this.#n!=="asking"||e==="allow_once"&&!this.#e.some(i=>Ut(i,e)))return;this.#n="sending",this.requestUpdate();let n=[...this.#e],r=async()=>{for(let i=n.shift();i;i=n.shift())await this.#o(i,e)};await Promise.all(Array.from({length:vi},r)),this.#n="done",this.requestUpdate()}async#o(e,n){let r=Ut(e,n);if(!r)this.#t.set(e.id,{tone:"muted",text:"Left open: answer it by itself."});else try{await fn(e.id,r.action,r.content),this.#t.set(e.id,{tone:"good",text:n==="allow_once"?"Allowed once.":r.content?"Denied.":"Declined."}),this.#l("inbox-answered",e.id)}catch(i){this.#t.set(e.id,{tone:"bad",text:i.message})}this.requestUpdate()}#l(e,n){this.dispatchEvent(new CustomEvent(e,{detail:n}))}};var it=class extends ie{path="/api/permissions";words={title:"What you have allowed and refused",none:"Nothing is allowed or refused for good. You are asked each time.",take:"Take back",sure:"Really take back"};key(e){return u(e.id)??""}called(e){let n=u(e.tool),r=h(u(e.server)??"");return n?[h(n),r&&`of ${r}`].join(" ").trim():`every tool of ${r}`}removal(e){return`/api/permissions/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=e.effect==="allow",r=u(e.until),i=u(e.arguments),s=[e.once===!0?"for one call":"",e.session?"in one conversation":"",e.digest?"with these arguments only":"with any arguments",r?`until ${E(r)}`:"until you take it back"].filter(o=>o!=="");return a`<strong><span class=${n?"good":"bad"}>${n?"Allowed":"Refused"}</span>: ${this.called(e)}</strong>
      <div>${s.join(", ")}</div>
      ${i?a`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(e)}">${Ie(i)}</pre>`:d}
      <div class="meta">Since ${E(u(e.created_at))} · used ${String(e.uses??0)} times</div>`}};var zn=Z(class extends U{constructor(){super(...arguments),this.key=d}render(t,e){return this.key=t,e}update(t,[e,n]){return e!==this.key&&(ee(t),this.key=e),n}});var Dn=(t,e,n)=>{let r=new Map;for(let i=e;i<=n;i++)r.set(t[i],i);return r},Hn=Z(class extends U{constructor(t){if(super(t),t.type!==O.CHILD)throw Error("repeat() can only be used in text expressions")}dt(t,e,n){let r;n===void 0?n=e:e!==void 0&&(r=e);let i=[],s=[],o=0;for(let c of t)i[o]=r?r(c,o):o,s[o]=n(c,o),o++;return{values:s,keys:i}}render(t,e,n){return this.dt(t,e,n).values}update(t,[e,n,r]){let i=kn(t),{values:s,keys:o}=this.dt(e,n,r);if(!Array.isArray(i))return this.ut=o,s;let c=this.ut??=[],l=[],p,g,m=0,v=i.length-1,b=0,w=s.length-1;for(;m<=v&&b<=w;)if(i[m]===null)m++;else if(i[v]===null)v--;else if(c[m]===o[b])l[b]=N(i[m],s[b]),m++,b++;else if(c[v]===o[w])l[w]=N(i[v],s[w]),v--,w--;else if(c[m]===o[w])l[w]=N(i[m],s[w]),X(t,l[w+1],i[m]),m++,w--;else if(c[v]===o[b])l[b]=N(i[v],s[b]),X(t,i[m],i[v]),v--,b++;else if(p===void 0&&(p=Dn(o,b,w),g=Dn(c,m,v)),p.has(c[m]))if(p.has(c[v])){let q=g.get(o[b]),pt=q!==void 0?i[q]:null;if(pt===null){let zt=X(t,i[m]);N(zt,s[b]),l[b]=zt}else l[b]=N(pt,s[b]),X(t,i[m],pt),i[q]=null;b++}else ze(i[v]),v--;else ze(i[m]),m++;for(;b<=w;){let q=X(t,l[w+1]);N(q,s[b]),l[b++]=q}for(;m<=v;){let q=i[m++];q!==null&&ze(q)}return this.ut=o,ee(t,l),R}});var st=class{constructor(e,n,r){this.user=e;this.changed=n;this.settled=r}user;changed;settled;items=[];next;loading=!0;problem;connected=!0;#e;#t=new Set;run(e){return gn(this.user,{item:n=>this.#r(je(n,location.origin)),reload:()=>{this.reload()},connected:n=>{!n&&!this.#e&&this.reload(),n!==this.connected&&(this.connected=n,this.changed())}},e)}async reload(){await this.#e,await(this.#e=this.#i(async()=>{let e=this.items,n=[],r;do{let o=await this.#s(r);n.push(...o.items),r=o.next}while(r&&n.length<e.length);this.items=n,this.next=r;let i=new Set(n.map(o=>o.id)),s=n.at(-1)?.id??"";for(let o of e)!i.has(o.id)&&(!r||o.id>s)&&await this.#n(o.id)}))}async more(){!this.next||this.loading||await(this.#e=this.#i(async()=>{let e=await this.#s(this.next);this.items=Fn(this.items,e.items),this.next=e.next}))}async upTo(e){for(await this.#e;this.next&&!this.problem&&this.items.length<e;)await this.more()}remove(e){this.#t.add(e),this.items=this.items.filter(n=>n.id!==e),this.changed()}async#n(e){this.#r(je(await k(`/api/elicitations/${encodeURIComponent(e)}`),location.origin))}#r(e){e&&(e.pending?this.items=Fn(this.items,this.#t.has(e.id)?[]:[e]):(this.remove(e.id),this.settled(e)),this.changed())}async#i(e){this.loading=!0,this.problem=void 0,this.changed();try{await e()}catch(n){this.problem=n.message}this.loading=!1,this.#e=void 0,this.changed()}async#s(e){let n=new URLSearchParams({state:"pending",user:this.user,limit:"50",...e&&{cursor:e}}),r=G(await k(`/api/elicitations?${n}`),location.origin);return{...r,items:r.items.filter(i=>!this.#t.has(i.id))}}};function Fn(t,e){return[...new Map([...t,...e].map(r=>[r.id,r])).values()].sort((r,i)=>r.id<i.id?1:-1)}var Nt=500,ot=class extends y{static styles=[x,_,P,Oe];static properties={user:{}};#e;#t;#n;#r="";#i=!1;#s=new Map;#a=!1;#o;#l;#c="";connectedCallback(){super.connectedCallback(),this.addEventListener("keydown",this.#E),this.addEventListener("parley-answered",this.#d),this.addEventListener("parley-hint",()=>{this.#e?.reload()})}disconnectedCallback(){super.disconnectedCallback(),this.removeEventListener("keydown",this.#E),this.removeEventListener("parley-answered",this.#d),this.#t?.abort(),this.#e=void 0}#u(){this.#t=new AbortController;let e=new st(this.user,()=>this.#g(),n=>this.#p(n));return e.run(this.#t.signal),e}#g(){let{items:e,next:n,loading:r}=this.#e;(!this.#r||!e.some(o=>o.id===this.#r))&&this.#m();let i=e.filter(o=>!o.others).length,s=i===0?"":`${i}${n?"+":""}`;!r&&s!==this.#l&&(this.#l=s,this.dispatchEvent(new CustomEvent("inbox-count",{detail:s}))),this.requestUpdate()}#m(){let e=this.shadowRoot?.activeElement?.classList.contains("row"),{items:n}=this.#e;this.#r=(n.find(r=>r.id<this.#r)??n.at(-1))?.id??"",e&&(this.#o="row")}#p(e){this.#s.delete(e.id),this.#n?.id===e.id?this.#n=e:this.#c=`No longer open: ${z(e)}`}#d=e=>this.#e?.remove(e.detail.elicitationId);render(){let e=this.#e??=this.#u(),n=this.#n!==void 0||this.#a;return a`<div class="panes ${n?"opened":""}">
        <div class="choose">${this.#v(e)} ${this.#b(e)} ${this.#y(e)}</div>
        <section class="detail ${n?"":"none"}" aria-label="Open question">${this.#C(e)}</section>
      </div>
      <div class="hidden" role="status">${this.#c}</div>`}#v({items:e,next:n}){return e.length===0?d:a`<div class="bar">
      <h2>Waiting for you</h2>
      ${this.#i?a`<button type="button" @click=${()=>{this.#_()}}>Choose all${n?`, up to ${Nt}`:""}</button>
            <button type="button" class="primary" aria-disabled=${this.#s.size===0} @click=${this.#A}>Answer ${this.#s.size}…</button>
            <button type="button" class="quiet" @click=${this.#h}>Cancel</button>`:a`<button type="button" @click=${()=>this.#$(()=>this.#i=!0)}>Choose several</button>`}
    </div>`}#b({problem:e,connected:n,loading:r,items:i}){return a`${e?a`<p class="problem" role="alert">${e} <button type="button" @click=${()=>{this.#e?.reload()}}>Try again</button></p>`:d}
      ${n?d:a`<p class="notice" role="status">The connection is lost. Trying again…</p>`}
      ${i.length>0||e?d:r?a`<p class="empty">Looking for questions…</p>`:a`<p class="empty">Nothing waits for you. New questions appear here by themselves.</p>`}`}#y({items:e,next:n,loading:r}){return e.length===0?d:a`<p class="hidden" id="keys">Use j and k or the arrow keys to go from one to the next, Enter to open one, Escape to come back.</p>
      <ul class="list" aria-label="Open questions" aria-describedby="keys" @scroll=${this.#T}>
        ${Hn(e,i=>i.id,i=>this.#S(i))}
        ${n?a`<li class="more"><button type="button" @click=${()=>{this.#e?.more()}}>${r?"Reading…":"Show more"}</button></li>`:d}
      </ul>`}#S(e){let n=e.asker?` · for ${h(e.asker)}`:"";return a`<li>
      ${this.#i?a`<label class="pick"><span class="hidden">Choose: ${z(e)}</span
            ><input type="checkbox" .checked=${this.#s.has(e.id)} @change=${()=>this.#R(e)} /></label>`:d}
      <button type="button" class="row" data-id=${e.id} tabindex=${e.id===this.#r?0:-1} aria-current=${e.id===this.#n?.id}
        @focus=${()=>this.#$(()=>this.#r=e.id)} @click=${()=>this.#w(e)}>
        <strong dir="auto">${z(e)}</strong>
        <span class="clip" dir="auto">${re(e)}</span>
        <span class="meta">${E(e.createdAt)}${n}</span>
      </button>
    </li>`}#C(e){let n=a`<button type="button" class="back" @click=${this.#x}>Back to the list</button>`;if(this.#a)return a`${n}<parley-inbox-many .items=${[...this.#s.values()]} @inbox-done=${this.#h}
          @inbox-answered=${o=>e.remove(o.detail)}></parley-inbox-many>`;let r=this.#n;if(!r)return a`<p class="empty keys">${e.items.length===0?d:a`Choose a question: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>`}</p>`;let i=e.items.some(o=>o.id!==r.id),s=!r.pending||!e.items.some(o=>o.id===r.id);return a`${n}
      <p class="meta">Asked ${E(r.createdAt)}${r.asker?a` for <bdi>${h(r.asker)}</bdi>`:d} ·
        <a href="/answer/${r.id}" target="_blank" rel="noopener">Its own page</a></p>
      ${zn(r.id,a`<parley-question .request=${r.request} endpoint="/answer/${r.id}"></parley-question>`)}
      ${s?a`<div class="after">
            ${i?a`<button type="button" class="primary" id="next" @click=${this.#k}>Next question</button>`:a`<p class="muted">Nothing else waits for you.</p>`}
          </div>`:d}`}#$(e){e(),this.requestUpdate()}#w(e){this.#n=e,this.#r=e.id,this.#a=!1,this.#o="question",this.requestUpdate()}#k=()=>{let{items:e}=this.#e,n=e.find(r=>r.id<(this.#n?.id??""))??e[0];n&&this.#w(n)};#x=()=>{this.#n=void 0,this.#a=!1,this.#o="row",this.requestUpdate()};#R(e){this.#s.delete(e.id)||this.#s.set(e.id,e),this.requestUpdate()}async#_(){await this.#e?.upTo(Nt);for(let e of this.#e?.items.slice(0,Nt)??[])this.#s.set(e.id,e);this.requestUpdate()}#A=()=>{this.#s.size!==0&&(this.#a=!0,this.#n=void 0,this.#o="many",this.requestUpdate())};#h=()=>{this.#a&&this.#e?.reload(),this.#i=this.#a=!1,this.#s.clear(),this.#o="row",this.requestUpdate()};#T=e=>{let n=e.currentTarget;n.scrollHeight-n.scrollTop-n.clientHeight<400&&this.#e?.more()};#E=e=>{let n=e.composedPath()[0],r=/^(input|textarea|select)$/i.test(n.tagName)||n.isContentEditable;if(e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented)return;if(e.key==="Escape"&&(this.#n||this.#a))return e.preventDefault(),this.#x();let i=n.classList.contains("row"),s={j:1,k:-1,...i&&{ArrowDown:1,ArrowUp:-1}}[e.key];r||s===void 0||(e.preventDefault(),this.#f(s,i))};#f(e,n){let{items:r}=this.#e,i=r.findIndex(o=>o.id===this.#r),s=r[Math.max(0,Math.min(r.length-1,n?i+e:i))];s&&(this.#r=s.id,this.#o="row",i+e>=r.length-5&&this.#e?.more(),this.requestUpdate())}async updated(){let e=this.#o;if(this.#o=void 0,e==="row"&&this.renderRoot.querySelector(`.row[data-id="${CSS.escape(this.#r)}"]`)?.focus(),e==="many"&&this.renderRoot.querySelector("parley-inbox-many")?.focus(),e!=="question")return;let n=this.renderRoot.querySelector("parley-question");await n?.updateComplete,n?.focus()}};function jt(t,e,n){let r=Jn(t);if(!r||r.protocol!=="https:"&&r.protocol!=="http:"||r.username!==""||r.password!=="")return;let{hostname:i,host:s,href:o,origin:c}=r,l=n&&(i===n||i.endsWith(`.${n}`)),p=l?n:s,g=o.indexOf("//")+2+(l?i.length-n.length:0);return{href:o,before:o.slice(0,g),trust:p,after:o.slice(g+p.length),foreign:c!==Jn(e)?.origin,insecure:r.protocol==="http:"&&!yi(i)}}function Jn(t){try{return new URL(t??"")}catch{return}}function yi(t){return t==="localhost"||t.endsWith(".localhost")||t==="[::1]"||/^127(\.\d+){3}$/.test(t)}var se=class extends Error{constructor(n,r,i=[]){super(r??`status ${n}`);this.status=n;this.said=r;this.fields=i}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}};async function Wn(t,e,n,r){let i=JSON.stringify({conversationId:n,...r}),s=await $i(t,e,{method:"POST",body:i});if(!s.ok)throw await wi(s)}async function $i(t,e,n){let r=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&r.set("content-type","application/json");let i=e.token||await e.getToken?.();return i&&r.set("authorization",`Bearer ${i}`),fetch(t,{...n,headers:r,cache:"no-store",credentials:i?"same-origin":"include"})}async function wi(t){let e=f(B(await t.text().catch(()=>""))),n=e?.error,r=[];for(let i of $(e?.fields)){let s=u(f(i)?.message),o=(u(f(i)?.field)??"").replace(/\[\d+\]$/,"");s&&r.push({field:o,message:s})}return new se(t.status,u(n)??u(f(n)?.message),r)}var dt=class{#e=0;now(){return Date.now()+this.#e}note(e){let n=Date.parse(e.headers.get("date")??"");if(Number.isNaN(n))return;let r=n+500-Date.now();this.#e=Math.abs(r)>2e3?r:0}},ye=1e3,lt=60*ye,at=60*lt,Vn=24*at;function Bn(t){let e=Math.max(0,t);if(e>=2*Vn)return`${Math.floor(e/Vn)} d`;if(e>=at)return`${Math.floor(e/at)} h ${Math.floor(e%at/lt)} min`;let n=Math.ceil(e/ye);return`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`}var ki=[5*lt,lt,30*ye,10*ye];function Qn(t,e){let n=ki.filter(r=>t>r&&e<=r);return n.length>0&&e>0?Math.min(...n)/ye:void 0}var ct=class{constructor(e,n,r){this.host=e;this.say=n;this.over=r;e.addController(this)}host;say;over;left;#e=Number.NaN;#t;#n;#r=!1;start(e,n){this.#e=Date.parse(e??""),this.#t=n;let r=this.#e-n.now();this.left=r>0?r:void 0,this.#i()}stop(){this.left=void 0,this.#i()}hostConnected(){this.#r=!0,this.#i()}hostDisconnected(){this.#r=!1,this.#i()}#i(){clearInterval(this.#n),this.#r&&this.left!==void 0&&(this.#n=setInterval(()=>this.#s(),1e3))}#s(){let e=this.left??0;this.left=Math.max(0,this.#e-this.#t.now());let n=Qn(e,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function Yn(t){let e=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),r=Math.round(window.screenX+(window.outerWidth-e)/2),i=Math.round(window.screenY+(window.outerHeight-n)/2),s=window.open(t,"parley-connect",`popup,width=${e},height=${n},left=${r},top=${i}`);return!s||s.closed?!1:(s.focus(),!0)}var Kn=S`
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
  .message:has(.whole) {
    padding: 0;
    background: none;
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
  .words.exact {
    unicode-bidi: isolate;
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
  .arguments,
  .words.whole {
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
  .settled:has(.sentence:focus-visible) {
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
    .arguments,
    .words.whole {
      max-block-size: min(12rem, 22dvh);
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

  .panel ul {
    display: grid;
    gap: 0.35rem;
    list-style: none;
    margin: 0.4rem 0 0;
    padding: 0;
  }
  .panel p {
    margin: 0;
  }
  .panel li {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
  }
  .panel li svg {
    flex: none;
    height: 1rem;
    width: 1rem;
  }
  .panel li bdi {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .panel li.good svg {
    color: var(--_success);
  }
  .panel li.bad svg {
    color: var(--_danger);
  }
`;var xi=6e4,ut=class extends y{static styles=[x,_,Kn];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#t;#n={};#r=Object.create(null);#i;#s="ready";#a;#o={answered:!1,watched:!1};#l="";#c;#u=new ct(this,e=>this.#l=this.#d("secondsLeft",{n:e,service:this.#v()}),()=>this.#p({action:"expire"}));constructor(){super(),this.clock=new dt}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#a}focus(e){this.renderRoot.querySelector("#outcome, #title")?.focus(e)}refuse(e,n=[]){this.#T("ready"),this.#i=[e,...this.#A(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#k)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#k)}willUpdate(e){e.has("request")&&this.#g(Ne(this.request))}#g(e){let n=e?.elicitationId!==this.#e?.elicitationId;this.#e=e,n&&(this.#t=e?.mode==="form"?te(e.requestedSchema,e.fieldOrder):void 0,this.#n=An(this.#t??[]),this.#r=Object.create(null),this.#i=this.#a=void 0,this.#s="ready",this.#o={answered:!1,watched:!1},this.#u.start(e?.expiresAt,this.clock)),this.pending?this.#o.watched=!0:this.#m()}#m(){this.#u.stop(),this.shadowRoot?.activeElement&&(this.#c="outcome")}#p(e){this.#a=e,this.#m(),this.requestUpdate()}get#d(){return Ye(this.strings)}#v(){return qe(Ue(this.#e)||this.#d("someone"))}#b(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#y(){let e=this.#e;if(e.context.trigger==="approvers")return"waiting";if(e.mode==="url")return"connect";if(!this.#t)return"unsupported";let[n,...r]=this.#t;return e.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!r.some(s=>s.required||s.kind!=="choice"&&!(s.kind==="string"&&s.name==="reason"))?"approval":"form"}render(){if(!this.#e)return d;let e=this.#C(this.#e),n=this.#S();return a`${n?In(e,n):Pn(e,this.#$())}
      <div class="hidden" role="status">${n&&this.#o.watched?n.sentence:this.#l}</div>
      <div class="hidden" role="alert">${n?d:this.#i}</div>`}#S(){let e=this.#e.outcome??this.#a;return e==="elsewhere"?{tone:"neutral",sentence:this.#d("answerSettled")}:e&&Be(this.#e,e,this.#o,this.#d)}#C(e){let n=this.#b();return{kind:this.#y(),question:e,service:this.#v(),phase:this.#s,problem:this.#i,address:e.mode==="url"?jt(e.url,n,e.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(e.elicitationId)}`,new URL("/",n)).href,fields:this.#t??[],entries:this.#n,errors:this.#r,say:this.#d,open:this.#w,submit:this.#x,decline:()=>{this.#h("decline")},decide:r=>this.#R(r),enter:(r,i)=>{this.#n={...this.#n,[r]:i},delete this.#r[r],this.requestUpdate()}}}#$(){let{left:e}=this.#u;if(e===void 0)return d;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return a`<span class="timer ${e<=xi?"soon":""}" role="timer" aria-live="off"
      title=${this.#d("expiresAt",{time:n})}>${T.clock}${this.#d("expiresIn",{time:Bn(e)})}</span>`}#w=e=>{let{url:n,context:r}=this.#e,i=jt(n,this.#b());if(!i)return e.preventDefault();this.#i=void 0,this.#s=i.foreign||Yn(i.href)?"opened":"blocked",this.requestUpdate(),i.foreign&&r.trigger==="mcp_elicitation"&&r.settledBy!=="page"&&this.#h("accept")};#k=e=>{let n=e.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||e.origin===new URL(this.#b()).origin&&(this.#s="confirming",this.requestUpdate(),this.#f("parley-hint",{elicitationId:n.elicitationId}))};#x=e=>{e.preventDefault();let{content:n,errors:r}=He(this.#t??[],this.#n,this.#d);this.#r=r,Object.keys(r).length>0?this.#_():this.#h("accept",n)};#R(e){let[n,...r]=this.#t??[],{content:i}=He(r.filter(p=>p.kind==="choice"),this.#n,this.#d),s=e==="always_allow";if(e==="allow_once"&&Object.keys(i).length>0){let p=n?.options.find(g=>g.value==="always_allow")?.label??this.#d("always_allow");return this.#i=this.#d("limitsUnused",{always:h(p)}),this.requestUpdate()}let o=s||e==="allow_once",{content:c}=He(r.filter(p=>p.kind==="string"),this.#n,this.#d),l={...s&&i,...!o&&c,decision:e};this.#h("accept",l,qt(this.#t??[],l))}#_(){this.#i=this.#d("answerInvalid");let e=this.#t?.findIndex(n=>n.name in this.#r)??-1;e>=0&&(this.#c=Sn({id:`field-${e}`,field:this.#t[e]})),this.requestUpdate()}#A(e){let n=[];for(let{field:r,message:i}of e)this.#t?.some(s=>s.name===r)?this.#r[r]=i:n.push(i);return n}async#h(e,n,r){if(this.#s==="sending"||!this.pending)return;let{elicitationId:i}=this.#e,s={elicitationId:i,action:e,...n&&{content:n}},o=this.#s;if(this.#s="sending",this.#i=void 0,this.#o={answered:!0,watched:!0,decision:this.#y()==="approval"?String(n?.decision):void 0,chosen:r},this.requestUpdate(),!this.#f("parley-answer",s)||!this.endpoint)return;let c=()=>this.#e?.elicitationId===i;try{await Wn(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",s)}catch(l){c()&&this.#E(l,o);return}c()&&this.#p({action:e}),this.#f("parley-answered",s)}#T(e){this.#s=e,this.#o={answered:!1,watched:!0}}#E(e,n){this.#T(n);let r=e instanceof se?e.status:0;if(e instanceof se&&r===400){let i=this.#A(e.fields);this.#_(),(i.length>0||e.fields.length===0)&&(this.#i=i.join(" ")||e.said||this.#d("answerFailed"))}else r===409?this.#p("elsewhere"):r===410?this.#p({action:"expire"}):r===401?this.#i=this.#d("answerSignedOut"):r===403||r===404?this.#i=this.#d("answerForbidden"):this.#i=this.#d(r===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#f("parley-refused",{elicitationId:this.#e.elicitationId,status:r})}#f(e,n){return this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,cancelable:e==="parley-answer",detail:n}))}updated(){let e=this.#c;this.#c=void 0,e&&this.renderRoot.querySelector(`#${e}`)?.focus()}};customElements.define("parley-question",ut);customElements.define("parley-inbox-many",rt);customElements.define("parley-inbox-questions",ot);customElements.define("parley-inbox-history",nt);customElements.define("parley-inbox-connections",tt);customElements.define("parley-inbox-permissions",it);jn();customElements.define("parley-inbox",Me);
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

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/
