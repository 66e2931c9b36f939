var Ao=Object.defineProperty;var Eo=(e,t)=>{for(var n in t)Ao(e,n,{get:t[n],enumerable:!0})};var jt=globalThis,Ut=jt.ShadowRoot&&(jt.ShadyCSS===void 0||jt.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Un=Symbol(),ri=new WeakMap,xt=class{constructor(t,n,r){if(this._$cssResult$=!0,r!==Un)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=t,this.t=n}get styleSheet(){let t=this.o,n=this.t;if(Ut&&t===void 0){let r=n!==void 0&&n.length===1;r&&(t=ri.get(n)),t===void 0&&((this.o=t=new CSSStyleSheet).replaceSync(this.cssText),r&&ri.set(n,t))}return t}toString(){return this.cssText}},ii=e=>new xt(typeof e=="string"?e:e+"",void 0,Un),Re=(e,...t)=>{let n=e.length===1?e[0]:t.reduce((r,i,s)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+e[s+1],e[0]);return new xt(n,e,Un)},si=(e,t)=>{if(Ut)e.adoptedStyleSheets=t.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of t){let r=document.createElement("style"),i=jt.litNonce;i!==void 0&&r.setAttribute("nonce",i),r.textContent=n.cssText,e.appendChild(r)}},Vn=Ut?e=>e:e=>e instanceof CSSStyleSheet?(t=>{let n="";for(let r of t.cssRules)n+=r.cssText;return ii(n)})(e):e;var{is:Co,defineProperty:Io,getOwnPropertyDescriptor:zo,getOwnPropertyNames:Lo,getOwnPropertySymbols:Ro,getPrototypeOf:Po}=Object,Vt=globalThis,oi=Vt.trustedTypes,Mo=oi?oi.emptyScript:"",Oo=Vt.reactiveElementPolyfillSupport,yt=(e,t)=>e,Wn={toAttribute(e,t){switch(t){case Boolean:e=e?Mo:null;break;case Object:case Array:e=e==null?e:JSON.stringify(e)}return e},fromAttribute(e,t){let n=e;switch(t){case Boolean:n=e!==null;break;case Number:n=e===null?null:Number(e);break;case Object:case Array:try{n=JSON.parse(e)}catch{n=null}}return n}},li=(e,t)=>!Co(e,t),ai={attribute:!0,type:String,converter:Wn,reflect:!1,useDefault:!1,hasChanged:li};Symbol.metadata??=Symbol("metadata"),Vt.litPropertyMetadata??=new WeakMap;var $e=class extends HTMLElement{static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(t,n=ai){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(t)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(t,n),!n.noAccessor){let r=Symbol(),i=this.getPropertyDescriptor(t,r,n);i!==void 0&&Io(this.prototype,t,i)}}static getPropertyDescriptor(t,n,r){let{get:i,set:s}=zo(this.prototype,t)??{get(){return this[n]},set(o){this[n]=o}};return{get:i,set(o){let a=i?.call(this);s?.call(this,o),this.requestUpdate(t,a,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(t){return this.elementProperties.get(t)??ai}static _$Ei(){if(this.hasOwnProperty(yt("elementProperties")))return;let t=Po(this);t.finalize(),t.l!==void 0&&(this.l=[...t.l]),this.elementProperties=new Map(t.elementProperties)}static finalize(){if(this.hasOwnProperty(yt("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(yt("properties"))){let n=this.properties,r=[...Lo(n),...Ro(n)];for(let i of r)this.createProperty(i,n[i])}let t=this[Symbol.metadata];if(t!==null){let n=litPropertyMetadata.get(t);if(n!==void 0)for(let[r,i]of n)this.elementProperties.set(r,i)}this._$Eh=new Map;for(let[n,r]of this.elementProperties){let i=this._$Eu(n,r);i!==void 0&&this._$Eh.set(i,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(t){let n=[];if(Array.isArray(t)){let r=new Set(t.flat(1/0).reverse());for(let i of r)n.unshift(Vn(i))}else t!==void 0&&n.push(Vn(t));return n}static _$Eu(t,n){let r=n.attribute;return r===!1?void 0:typeof r=="string"?r:typeof t=="string"?t.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(t=>this.enableUpdating=t),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(t=>t(this))}addController(t){(this._$EO??=new Set).add(t),this.renderRoot!==void 0&&this.isConnected&&t.hostConnected?.()}removeController(t){this._$EO?.delete(t)}_$E_(){let t=new Map,n=this.constructor.elementProperties;for(let r of n.keys())this.hasOwnProperty(r)&&(t.set(r,this[r]),delete this[r]);t.size>0&&(this._$Ep=t)}createRenderRoot(){let t=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return si(t,this.constructor.elementStyles),t}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(t=>t.hostConnected?.())}enableUpdating(t){}disconnectedCallback(){this._$EO?.forEach(t=>t.hostDisconnected?.())}attributeChangedCallback(t,n,r){this._$AK(t,r)}_$ET(t,n){let r=this.constructor.elementProperties.get(t),i=this.constructor._$Eu(t,r);if(i!==void 0&&r.reflect===!0){let s=(r.converter?.toAttribute!==void 0?r.converter:Wn).toAttribute(n,r.type);this._$Em=t,s==null?this.removeAttribute(i):this.setAttribute(i,s),this._$Em=null}}_$AK(t,n){let r=this.constructor,i=r._$Eh.get(t);if(i!==void 0&&this._$Em!==i){let s=r.getPropertyOptions(i),o=typeof s.converter=="function"?{fromAttribute:s.converter}:s.converter?.fromAttribute!==void 0?s.converter:Wn;this._$Em=i;let a=o.fromAttribute(n,s.type);this[i]=a??this._$Ej?.get(i)??a,this._$Em=null}}requestUpdate(t,n,r,i=!1,s){if(t!==void 0){let o=this.constructor;if(i===!1&&(s=this[t]),r??=o.getPropertyOptions(t),!((r.hasChanged??li)(s,n)||r.useDefault&&r.reflect&&s===this._$Ej?.get(t)&&!this.hasAttribute(o._$Eu(t,r))))return;this.C(t,n,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(t,n,{useDefault:r,reflect:i,wrapped:s},o){r&&!(this._$Ej??=new Map).has(t)&&(this._$Ej.set(t,o??n??this[t]),s!==!0||o!==void 0)||(this._$AL.has(t)||(this.hasUpdated||r||(n=void 0),this._$AL.set(t,n)),i===!0&&this._$Em!==t&&(this._$Eq??=new Set).add(t))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let t=this.scheduleUpdate();return t!=null&&await t,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,s]of this._$Ep)this[i]=s;this._$Ep=void 0}let r=this.constructor.elementProperties;if(r.size>0)for(let[i,s]of r){let{wrapped:o}=s,a=this[i];o!==!0||this._$AL.has(i)||a===void 0||this.C(i,void 0,s,a)}}let t=!1,n=this._$AL;try{t=this.shouldUpdate(n),t?(this.willUpdate(n),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(n)):this._$EM()}catch(r){throw t=!1,this._$EM(),r}t&&this._$AE(n)}willUpdate(t){}_$AE(t){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(t)),this.updated(t)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(t){return!0}update(t){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(t){}firstUpdated(t){}};$e.elementStyles=[],$e.shadowRootOptions={mode:"open"},$e[yt("elementProperties")]=new Map,$e[yt("finalized")]=new Map,Oo?.({ReactiveElement:$e}),(Vt.reactiveElementVersions??=[]).push("2.1.2");var Yn=globalThis,ui=e=>e,Wt=Yn.trustedTypes,ci=Wt?Wt.createPolicy("lit-html",{createHTML:e=>e}):void 0,Jn="$lit$",Se=`lit$${Math.random().toFixed(9).slice(2)}$`,Kn="?"+Se,qo=`<${Kn}>`,Ve=document,vt=()=>Ve.createComment(""),$t=e=>e===null||typeof e!="object"&&typeof e!="function",Gn=Array.isArray,gi=e=>Gn(e)||typeof e?.[Symbol.iterator]=="function",Qn=`[ 	
\f\r]`,wt=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,di=/-->/g,hi=/>/g,je=RegExp(`>|${Qn}(?:([^\\s"'>=/]+)(${Qn}*=${Qn}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),pi=/'/g,mi=/"/g,bi=/^(?:script|style|textarea|title)$/i,Zn=e=>(t,...n)=>({_$litType$:e,strings:t,values:n}),k=Zn(1),ne=Zn(2),ic=Zn(3),te=Symbol.for("lit-noChange"),S=Symbol.for("lit-nothing"),fi=new WeakMap,Ue=Ve.createTreeWalker(Ve,129);function ki(e,t){if(!Gn(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return ci!==void 0?ci.createHTML(t):t}var xi=(e,t)=>{let n=e.length-1,r=[],i,s=t===2?"<svg>":t===3?"<math>":"",o=wt;for(let a=0;a<n;a++){let l=e[a],c,u,d=-1,f=0;for(;f<l.length&&(o.lastIndex=f,u=o.exec(l),u!==null);)f=o.lastIndex,o===wt?u[1]==="!--"?o=di:u[1]!==void 0?o=hi:u[2]!==void 0?(bi.test(u[2])&&(i=RegExp("</"+u[2],"g")),o=je):u[3]!==void 0&&(o=je):o===je?u[0]===">"?(o=i??wt,d=-1):u[1]===void 0?d=-2:(d=o.lastIndex-u[2].length,c=u[1],o=u[3]===void 0?je:u[3]==='"'?mi:pi):o===mi||o===pi?o=je:o===di||o===hi?o=wt:(o=je,i=void 0);let h=o===je&&e[a+1].startsWith("/>")?" ":"";s+=o===wt?l+qo:d>=0?(r.push(c),l.slice(0,d)+Jn+l.slice(d)+Se+h):l+Se+(d===-2?a:h)}return[ki(e,s+(e[n]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),r]},St=class e{constructor({strings:t,_$litType$:n},r){let i;this.parts=[];let s=0,o=0,a=t.length-1,l=this.parts,[c,u]=xi(t,n);if(this.el=e.createElement(c,r),Ue.currentNode=this.el.content,n===2||n===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(i=Ue.nextNode())!==null&&l.length<a;){if(i.nodeType===1){if(i.hasAttributes())for(let d of i.getAttributeNames())if(d.endsWith(Jn)){let f=u[o++],h=i.getAttribute(d).split(Se),y=/([.?@])?(.*)/.exec(f);l.push({type:1,index:s,name:y[2],strings:h,ctor:y[1]==="."?Yt:y[1]==="?"?Jt:y[1]==="@"?Kt:Qe}),i.removeAttribute(d)}else d.startsWith(Se)&&(l.push({type:6,index:s}),i.removeAttribute(d));if(bi.test(i.tagName)){let d=i.textContent.split(Se),f=d.length-1;if(f>0){i.textContent=Wt?Wt.emptyScript:"";for(let h=0;h<f;h++)i.append(d[h],vt()),Ue.nextNode(),l.push({type:2,index:++s});i.append(d[f],vt())}}}else if(i.nodeType===8)if(i.data===Kn)l.push({type:2,index:s});else{let d=-1;for(;(d=i.data.indexOf(Se,d+1))!==-1;)l.push({type:7,index:s}),d+=Se.length-1}s++}}static createElement(t,n){let r=Ve.createElement("template");return r.innerHTML=t,r}};function We(e,t,n=e,r){if(t===te)return t;let i=r!==void 0?n._$Co?.[r]:n._$Cl,s=$t(t)?void 0:t._$litDirective$;return i?.constructor!==s&&(i?._$AO?.(!1),s===void 0?i=void 0:(i=new s(e),i._$AT(e,n,r)),r!==void 0?(n._$Co??=[])[r]=i:n._$Cl=i),i!==void 0&&(t=We(e,i._$AS(e,t.values),i,r)),t}var Qt=class{constructor(t,n){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:n},parts:r}=this._$AD,i=(t?.creationScope??Ve).importNode(n,!0);Ue.currentNode=i;let s=Ue.nextNode(),o=0,a=0,l=r[0];for(;l!==void 0;){if(o===l.index){let c;l.type===2?c=new it(s,s.nextSibling,this,t):l.type===1?c=new l.ctor(s,l.name,l.strings,this,t):l.type===6&&(c=new Gt(s,this,t)),this._$AV.push(c),l=r[++a]}o!==l?.index&&(s=Ue.nextNode(),o++)}return Ue.currentNode=Ve,i}p(t){let n=0;for(let r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(t,r,n),n+=r.strings.length-2):r._$AI(t[n])),n++}},it=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,n,r,i){this.type=2,this._$AH=S,this._$AN=void 0,this._$AA=t,this._$AB=n,this._$AM=r,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,n=this._$AM;return n!==void 0&&t?.nodeType===11&&(t=n.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,n=this){t=We(this,t,n),$t(t)?t===S||t==null||t===""?(this._$AH!==S&&this._$AR(),this._$AH=S):t!==this._$AH&&t!==te&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):gi(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==S&&$t(this._$AH)?this._$AA.nextSibling.data=t:this.T(Ve.createTextNode(t)),this._$AH=t}$(t){let{values:n,_$litType$:r}=t,i=typeof r=="number"?this._$AC(t):(r.el===void 0&&(r.el=St.createElement(ki(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===i)this._$AH.p(n);else{let s=new Qt(i,this),o=s.u(this.options);s.p(n),this.T(o),this._$AH=s}}_$AC(t){let n=fi.get(t.strings);return n===void 0&&fi.set(t.strings,n=new St(t)),n}k(t){Gn(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let s of t)i===n.length?n.push(r=new e(this.O(vt()),this.O(vt()),this,this.options)):r=n[i],r._$AI(s),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(t=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);t!==this._$AB;){let r=ui(t).nextSibling;ui(t).remove(),t=r}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},Qe=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,n,r,i,s){this.type=1,this._$AH=S,this._$AN=void 0,this.element=t,this.name=n,this._$AM=i,this.options=s,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=S}_$AI(t,n=this,r,i){let s=this.strings,o=!1;if(s===void 0)t=We(this,t,n,0),o=!$t(t)||t!==this._$AH&&t!==te,o&&(this._$AH=t);else{let a=t,l,c;for(t=s[0],l=0;l<s.length-1;l++)c=We(this,a[r+l],n,l),c===te&&(c=this._$AH[l]),o||=!$t(c)||c!==this._$AH[l],c===S?t=S:t!==S&&(t+=(c??"")+s[l+1]),this._$AH[l]=c}o&&!i&&this.j(t)}j(t){t===S?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},Yt=class extends Qe{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===S?void 0:t}},Jt=class extends Qe{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==S)}},Kt=class extends Qe{constructor(t,n,r,i,s){super(t,n,r,i,s),this.type=5}_$AI(t,n=this){if((t=We(this,t,n,0)??S)===te)return;let r=this._$AH,i=t===S&&r!==S||t.capture!==r.capture||t.once!==r.once||t.passive!==r.passive,s=t!==S&&(r===S||i);i&&this.element.removeEventListener(this.name,this,r),s&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},Gt=class{constructor(t,n,r){this.element=t,this.type=6,this._$AN=void 0,this._$AM=n,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(t){We(this,t)}},yi={M:Jn,P:Se,A:Kn,C:1,L:xi,R:Qt,D:gi,V:We,I:it,H:Qe,N:Jt,U:Kt,B:Yt,F:Gt},Fo=Yn.litHtmlPolyfillSupport;Fo?.(St,it),(Yn.litHtmlVersions??=[]).push("3.3.3");var wi=(e,t,n)=>{let r=n?.renderBefore??t,i=r._$litPart$;if(i===void 0){let s=n?.renderBefore??null;r._$litPart$=i=new it(t.insertBefore(vt(),s),s,void 0,n??{})}return i._$AI(e),i};var Xn=globalThis,be=class extends $e{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let t=super.createRenderRoot();return this.renderOptions.renderBefore??=t.firstChild,t}update(t){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(t),this._$Do=wi(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return te}};be._$litElement$=!0,be.finalized=!0,Xn.litElementHydrateSupport?.({LitElement:be});var Do=Xn.litElementPolyfillSupport;Do?.({LitElement:be});(Xn.litElementVersions??=[]).push("4.2.2");var _e={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},st=e=>(...t)=>({_$litDirective$:e,values:t}),Pe=class{constructor(t){}get _$AU(){return this._$AM._$AU}_$AT(t,n,r){this._$Ct=t,this._$AM=n,this._$Ci=r}_$AS(t,n){return this.update(t,n)}update(t,n){return this.render(...n)}};var{I:Bo}=yi,vi=e=>e;var Si=e=>e.strings===void 0,$i=()=>document.createComment(""),ot=(e,t,n)=>{let r=e._$AA.parentNode,i=t===void 0?e._$AB:t._$AA;if(n===void 0){let s=r.insertBefore($i(),i),o=r.insertBefore($i(),i);n=new Bo(s,o,e,e.options)}else{let s=n._$AB.nextSibling,o=n._$AM,a=o!==e;if(a){let l;n._$AQ?.(e),n._$AM=e,n._$AP!==void 0&&(l=e._$AU)!==o._$AU&&n._$AP(l)}if(s!==i||a){let l=n._$AA;for(;l!==s;){let c=vi(l).nextSibling;vi(r).insertBefore(l,i),l=c}}}return n},Me=(e,t,n=e)=>(e._$AI(t,n),e),No={},Zt=(e,t=No)=>e._$AH=t,_i=e=>e._$AH,Xt=e=>{e._$AR(),e._$AA.remove()};var Te=st(class extends Pe{constructor(e){if(super(e),e.type!==_e.PROPERTY&&e.type!==_e.ATTRIBUTE&&e.type!==_e.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Si(e))throw Error("`live` bindings can only contain a single expression")}render(e){return e}update(e,[t]){if(t===te||t===S)return t;let n=e.element,r=e.name;if(e.type===_e.PROPERTY){if(t===n[r])return te}else if(e.type===_e.BOOLEAN_ATTRIBUTE){if(!!t===n.hasAttribute(r))return te}else if(e.type===_e.ATTRIBUTE&&n.getAttribute(r)===t+"")return te;return Zt(e),t}});var Ti=(e,t,n)=>{let r=new Map;for(let i=t;i<=n;i++)r.set(e[i],i);return r},en=st(class extends Pe{constructor(e){if(super(e),e.type!==_e.CHILD)throw Error("repeat() can only be used in text expressions")}dt(e,t,n){let r;n===void 0?n=t:t!==void 0&&(r=t);let i=[],s=[],o=0;for(let a of e)i[o]=r?r(a,o):o,s[o]=n(a,o),o++;return{values:s,keys:i}}render(e,t,n){return this.dt(e,t,n).values}update(e,[t,n,r]){let i=_i(e),{values:s,keys:o}=this.dt(t,n,r);if(!Array.isArray(i))return this.ut=o,s;let a=this.ut??=[],l=[],c,u,d=0,f=i.length-1,h=0,y=s.length-1;for(;d<=f&&h<=y;)if(i[d]===null)d++;else if(i[f]===null)f--;else if(a[d]===o[h])l[h]=Me(i[d],s[h]),d++,h++;else if(a[f]===o[y])l[y]=Me(i[f],s[y]),f--,y--;else if(a[d]===o[y])l[y]=Me(i[d],s[y]),ot(e,l[y+1],i[d]),d++,y--;else if(a[f]===o[h])l[h]=Me(i[f],s[h]),ot(e,i[d],i[f]),f--,h++;else if(c===void 0&&(c=Ti(o,h,y),u=Ti(a,d,f)),c.has(a[d]))if(c.has(a[f])){let I=u.get(o[h]),M=I!==void 0?i[I]:null;if(M===null){let v=ot(e,i[d]);Me(v,s[h]),l[h]=v}else l[h]=Me(M,s[h]),ot(e,i[d],M),i[I]=null;h++}else Xt(i[f]),f--;else Xt(i[d]),d++;for(;h<=y;){let I=ot(e,l[y+1]);Me(I,s[h]),l[h++]=I}for(;d<=f;){let I=i[d++];I!==null&&Xt(I)}return this.ut=o,Zt(e,l),te}});var Ai="0 w 2n y c 1 ip 1 14 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 3z 2 6g 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q 6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 1g 2 14 2 a 6 a 6 b 5 a 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l ps 1 oj 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q c 5 1q 2 2e 2 2v 5 17 1 1f 1 16 1 2c c 1b 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w g g a 6 1f 1 j 1 4 4 5 1 3r 4 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 e 1 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts g 1 2 j 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 4 c 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 1c 1 p 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl 2e7 f2 15u 3t7 5 38g jgwg";var tn;function rn(e){if(!tn){let r=0;tn=Ai.split(" ").map(i=>r+=parseInt(i,36))}let[t,n]=[0,tn.length];for(;t<n;){let r=t+n>>1;tn[r]<=e?t=r+1:n=r}return t%2===1}function Ho(e){return rn(e)&&!/[\p{Zs}\u200c\u200d\ufe0e\ufe0f]/u.test(String.fromCodePoint(e))}var at=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function er(e){return at.test(e)?"rtl":"ltr"}function tr(e,t){if(/^[ -~]*$/.test(e))return e;let n="";for(let r of e)n+=t(r.codePointAt(0))?Ci(r):r;return n}function Ci(e){return Array.from({length:e.length},(t,n)=>"\\u"+e.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function le(e){return jo(tr(e,rn))}function sn(e){let t=le(e);return at.test(t)?`⁨${t}⁩`:t}var Ii=e=>e!==9&&e!==10;function ke(e){return tr(e,t=>Ii(t)&&rn(t))}function pe(e){return tr(e,t=>Ii(t)&&Ho(t))}function jo(e){return at.test(e)?e.split(`
`).map(t=>Uo(t)?t:Array.from(t,n=>at.test(n)?Ci(n):n).join("")).join(`
`):e}function Uo(e){let t=0,n=!1;for(let{kind:r,text:i}of nr(e)){let s=/\p{L}/u.test(i);if(r==="phrase")t++;else{if(/\p{N}/u.test(i)||s&&t>0&&!n)return!1;s&&(n=!0)}}return t<=1}var nn=at.source,Ei=`(?:(?!\\p{N})${nn}|\\p{M})`,Vo=new RegExp(`(?<number>(?:(?=\\p{N})${nn})+)|(?<phrase>(?=${nn})${Ei}+(?:[,.;:!?]? (?=${nn})${Ei}+)*)`,"gu");function nr(e){let t=[],n=0,r=i=>{i>n&&t.push({text:e.slice(n,i)})};for(let i of e.matchAll(Vo))r(i.index),t.push({kind:i.groups.number===void 0?"phrase":"number",text:i[0]}),n=i.index+i[0].length;return r(e.length),t}function zi(e){return e.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(t,n,r,i)=>{let s=i===void 0?[n,r]:[i];if(s[0]===void 0)return t;let o=String.fromCharCode(...s.map(a=>parseInt(a,16)));return at.test(o)&&!rn(o.codePointAt(0))?o:t})}function Ae(e){try{return JSON.parse(e)}catch{return}}function W(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:void 0}function me(e){return Array.isArray(e)?e:[]}function A(e){return typeof e=="string"?e:void 0}function on(e){if(Ae(e)===void 0)return ke(e);let t="",n=0,r=()=>`
`+"  ".repeat(n);for(let i of e.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(i){case"{":case"[":n++,t+=i+r();break;case"}":case"]":n--,t=/[{[]\s*$/.test(t)?t.trimEnd()+i:t+r()+i;break;case",":t+=i+r();break;case":":t+=": ";break;default:t+=ke(i)}return t}function Li(e){if(typeof e=="string")return Ae(e)===void 0?ke(e):on(e);let t=JSON.stringify(e);return t===void 0?"":on(t)}function Tt(e){let t=W(e),n=A(t?.elicitationId),r=t?.mode;if(!(!t||!n||r!=="form"&&r!=="url"))return{elicitationId:n,mode:r,message:A(t.message)??"",url:A(t.url),requestedSchema:t.requestedSchema,expiresAt:A(t.expiresAt),context:Wo(W(t.context)??{}),outcome:Qo(t.outcome)}}function Wo(e){let t=e.arguments;return{trigger:A(e.trigger),service:A(e.service),account:A(e.account),tool:A(e.tool),toolCallId:A(e.toolCallId),arguments:typeof t=="string"||t===void 0?t:JSON.stringify(t),server:A(e.server),domain:A(e.domain),settledBy:A(e.settledBy)}}function Qo(e){let t=W(e);if(!t)return;let n={via:A(t.via),reason:A(t.reason),at:A(t.at)},r=t.action;return r==="accept"||r==="decline"||r==="cancel"||r==="expire"?{action:r,by:A(t.by),...n}:{action:"cancel",...n}}function Ri(e){let t=W(e)??{},n=[];me(t.messages).forEach((i,s)=>{let o=Yo(i,s);o&&n.push(o)});let r=me(t.activeMessages).flatMap(i=>A(i)??[]);return{messages:n,active:t.active===!0,activeMessages:r}}function Yo(e,t){let n=W(e),r=n?.role;if(!n||r!=="user"&&r!=="assistant")return;let i=[];if(me(n.parts).forEach((s,o)=>{let a=Jo(W(s)??{},o);a&&i.push(a)}),i.length!==0)return{id:A(n.id)??`history-${t}`,role:r,parts:i}}function Jo(e,t){let n=A(e.type)??"";if(n==="text"){let r=A(e.text);return r?{kind:"text",id:`text-${t}`,text:r,open:!1}:void 0}if(n.startsWith("data-"))return rr(n,e.data,A(e.id)??`data-${t}`);if(n==="dynamic-tool"||n.startsWith("tool-"))return Go(n,e)}function rr(e,t,n){let r=W(t);switch(e){case"data-elicitation-request":{let i=Tt(t);return i&&{kind:"question",id:i.elicitationId,question:i}}case"data-warning":{let i=A(r?.message);return i?{kind:"notice",id:n,text:i}:void 0}case"data-tool-auth-required":{let i=A(r?.message);return i?{kind:"notice",id:n,text:i,link:A(r?.authLink)}:void 0}}}var Ko={"input-streaming":"writing","input-available":"running","approval-requested":"asking","approval-responded":"running","output-available":"done","output-error":"failed","output-denied":"denied"};function Go(e,t){let n=A(t.toolCallId);if(!n)return;let r=e==="dynamic-tool"?A(t.toolName):e.slice(5),i={kind:"tool",id:n,name:r??"",title:A(t.title),state:Ko[A(t.state)??""]??"running"};t.input!==void 0&&(i.input=_t(t.input)),t.output!==void 0&&(i.output=_t(t.output));let s=A(t.errorText);return s!==void 0&&(i.error=s),i}function _t(e){return typeof e=="string"?e:JSON.stringify(e)??""}var ue=class extends Error{constructor(n,r,i=[]){super(r??`status ${n}`);this.status=n;this.said=r;this.fields=i}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}},an=class{constructor(t,n){this.access=t;this.clock=n}access;clock;async send(t,n){return Pi(await this.#e("/run/api/chat",{method:"POST",body:JSON.stringify(t),signal:n}))}async stream(t,n,r){let i=r===void 0?"":`?message=${encodeURIComponent(r)}`,s=await this.#e(`/run/api/chat/${encodeURIComponent(t)}/stream${i}`,{signal:n});return s.status===204?void 0:Pi(s)}async halt(t){await this.#e(`/run/api/chat/${encodeURIComponent(t)}/stream`,{method:"DELETE",keepalive:!0})}async history(t,n){try{let r=await this.#e(`/run/api/chat/${encodeURIComponent(t)}`,{signal:n});return Ri(Ae(await r.text()))}catch(r){if(r instanceof ue&&r.status===404)return{messages:[],active:!1,activeMessages:[]};throw r}}async#e(t,n){let r=await Oi(this.access().base+t,this.access(),n);if(this.clock.note(r),!r.ok)throw await qi(r);return r}};function Pi(e){if(e.body&&e.headers.get("content-type")?.startsWith("text/event-stream"))return e;throw e.body?.cancel(),new ue(e.status,void 0)}async function Mi(e,t,n,r){let i=JSON.stringify({conversationId:n,...r}),s=await Oi(e,t,{method:"POST",body:i});if(!s.ok)throw await qi(s)}async function Oi(e,t,n){let r=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&r.set("content-type","application/json");let i=t.token||await t.getToken?.();return i&&r.set("authorization",`Bearer ${i}`),fetch(e,{...n,headers:r,cache:"no-store",credentials:i?"same-origin":"include"})}async function qi(e){let t=W(Ae(await e.text().catch(()=>""))),n=t?.error,r=[];for(let i of me(t?.fields)){let s=A(W(i)?.message),o=(A(W(i)?.field)??"").replace(/\[\d+\]$/,"");s&&r.push({field:o,message:s})}return new ue(e.status,A(n)??A(W(n)?.message),r)}var Fi=Re`
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
  .head h2,
  .head .heading {
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
  .suggestions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.5rem;
    margin-block-start: 1rem;
  }
  .suggestions button {
    max-inline-size: 100%;
    font-weight: 450;
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
  .text blockquote > * + *,
  .text li > * + p {
    margin-block-start: 0.5rem;
  }
  .text li.task {
    list-style: none;
    margin-inline-start: -1.2rem;
  }
  .table {
    overflow-x: auto;
  }
  .table table {
    border-collapse: collapse;
  }
  .table :is(th, td) {
    padding: 0.3rem 0.6rem;
    border: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
  .table th {
    background: var(--_sunken);
    font-weight: 600;
  }
  .table .left {
    text-align: left;
  }
  .table .center {
    text-align: center;
  }
  .table .right {
    text-align: right;
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
`;var lt=class{#e=0;now(){return Date.now()+this.#e}note(t){let n=Date.parse(t.headers.get("date")??"");if(Number.isNaN(n))return;let r=n+500-Date.now();this.#e=Math.abs(r)>2e3?r:0}},At=1e3,un=60*At,ln=60*un,Di=24*ln;function Bi(e){let t=Math.max(0,e);if(t>=2*Di)return`${Math.floor(t/Di)} d`;if(t>=ln)return`${Math.floor(t/ln)} h ${Math.floor(t%ln/un)} min`;let n=Math.ceil(t/At);return`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`}var Zo=[5*un,un,30*At,10*At];function Ni(e,t){let n=Zo.filter(r=>e>r&&t<=r);return n.length>0&&t>0?Math.min(...n)/At:void 0}var ir=class{#e="";#t=[];#r=!1;push(t){!this.#r&&t!==""&&(this.#r=!0,t=t.replace(/^\ufeff/,""));let n=this.#e+t,r=[],i=/\r\n|\n|\r(?!$)/g,s=0;for(let o=i.exec(n);o;o=i.exec(n))this.#n(n.slice(s,o.index),r),s=i.lastIndex;return this.#e=n.slice(s),r}#n(t,n){t===""?(this.#t.length>0&&n.push(this.#t.join(`
`)),this.#t=[]):(t==="data"||t.startsWith("data:"))&&this.#t.push(t.slice(5).replace(/^ /,""))}};async function*Hi(e){let t=new ir,n=new TextDecoder,r=e.getReader();try{for(;;){let{done:i,value:s}=await r.read();if(i)return;yield t.push(n.decode(s,{stream:!0}))}}finally{r.cancel().catch(()=>{})}}var cn=class{constructor(t=()=>!1){this.elsewhere=t}elsewhere;message;ending;take(t){if(t.trim()==="[DONE]"){this.ending??={};return}let n=W(Ae(t)),r=A(n?.type);!n||!r||(r.startsWith("text-")?this.#r(r,n):r.startsWith("tool-")?this.#i(r,n):r.startsWith("data-")?this.#l(r,n):this.#e(r,n))}#e(t,n){switch(t){case"start":this.message||(this.message={id:A(n.messageId)??ji(),role:"assistant",parts:[]});break;case"finish":this.ending??={},this.#n();break;case"abort":this.ending={stopped:!0},this.#n();break;case"error":this.ending={error:A(n.errorText)??""},this.#n()}}get#t(){return this.message??={id:ji(),role:"assistant",parts:[]},this.message.parts}#r(t,n){let r=A(n.id)??"",i=this.#t.findLast(s=>s.kind==="text"&&s.id===r&&s.open);if(i?.kind!=="text"){if(t!=="text-start"&&t!=="text-delta")return;i={kind:"text",id:r,text:"",open:!0},this.#t.push(i)}t==="text-delta"&&(i.text+=A(n.delta)??""),t==="text-end"&&(i.open=!1)}#n(){for(let t of this.message?.parts??[])t.kind==="text"&&(t.open=!1)}#i(t,n){let r=A(n.toolCallId);if(!r)return;let i=this.#t.find(s=>s.kind==="tool"&&s.id===r);if(!i){let s=A(n.toolName);if(s===void 0||!t.startsWith("tool-input-"))return;i={kind:"tool",id:r,name:s,state:"writing"},this.#t.push(i)}i.title=A(n.title)??i.title,this.#s(i,t,n)}#s(t,n,r){switch(n){case"tool-input-delta":t.input=(t.input??"")+(A(r.inputTextDelta)??"");break;case"tool-input-available":t.state="running",t.input=_t(r.input);break;case"tool-approval-request":t.state="asking";break;case"tool-output-available":t.state=r.preliminary===!0?"running":"done",t.output=_t(r.output);break;case"tool-input-error":case"tool-output-error":t.state="failed",t.error=A(r.errorText)??"";break;case"tool-output-denied":t.state="denied"}}#l(t,n){if(t==="data-elicitation-request"){let s=Tt(n.data);s&&this.#u(s);return}let r=rr(t,n.data,A(n.id)??`data-${this.#t.length}`);if(!r)return;let i=this.#t.findIndex(s=>s.kind===r.kind&&s.id===r.id);i>=0?this.#t[i]=r:this.#t.push(r)}#u(t){let n=t.elicitationId,r=this.#t.find(i=>i.kind==="question"&&i.id===n);r?.kind==="question"?r.question=t:this.elsewhere(t)||this.#t.push({kind:"question",id:n,question:t})}};function ji(){return`local-${Math.random().toString(36).slice(2)}`}function Ui(e,t){return t.parts.every((n,r)=>{let i=e.parts[r];return i!==void 0&&(n.kind!=="text"||i.kind!=="text"||i.text.length>=n.text.length)})}var Xo=1500,dn=class{constructor(t){this.changed=t}changed;messages=[];#e=new Map;#t=new Set;get questions(){return this.messages.flatMap(t=>t.parts).flatMap(t=>t.kind==="question"&&!t.question.outcome?[t.question]:[])}writer(){let t={turn:new cn(n=>this.#i(t,n))};return this.#t.add(t),t}show(t){let n=t.turn.message;if(!n)return;this.#n(n);let r=this.messages.find(i=>i.id===n.id);r!==n&&(!r||t.turn.ending||Ui(n,r)?this.#r(t):t.waiting??=setTimeout(()=>this.#r(t),Xo))}finish(t){this.#t.delete(t),t.waiting!==void 0&&t.turn.ending&&this.#r(t),clearTimeout(t.waiting),t.waiting=void 0}settle(t,n){this.#e.has(t)||this.#e.set(t,n);for(let r of this.messages)this.#n(r)}merge(t){let n=new Set(t.map(i=>i.id)),r=[...this.#t].flatMap(({turn:i})=>i.message?[i.message]:[]);this.messages=[...t.map(i=>r.find(s=>s.id===i.id)??i),...this.messages.filter(i=>!n.has(i.id)&&(i.status!==void 0||r.includes(i)))];for(let i of this.messages)this.#n(i)}#r(t){clearTimeout(t.waiting),t.waiting=void 0;let n=t.turn.message;if(!n)return;let r=this.messages.findIndex(i=>i.id===n.id);r>=0?this.messages[r]=n:this.messages.push(n),this.changed()}#n(t){for(let n of t.parts){if(n.kind!=="question")continue;let{outcome:r}=n.question;r?this.#e.set(n.id,r):this.#e.has(n.id)&&(n.question={...n.question,outcome:this.#e.get(n.id)})}}#i(t,n){for(let r of this.messages){if(r.id===t.turn.message?.id)continue;let i=r.parts.find(s=>s.kind==="question"&&s.id===n.elicitationId);if(i?.kind==="question")return i.question=n,this.#n(r),!0}return!1}};var ea=6e4,Vi=15e3,ta=5e3,hn=class{constructor(t,n,r,i){this.id=t;this.api=n;this.agent=r;this.changed=i;this.#e=new dn(i)}id;api;agent;changed;failure;loading=!1;lost=!1;trouble;stopped=!1;#e;#t=new Set;#r;#n;#i=!1;#s=new Map;get messages(){return this.#e.messages}get questions(){return this.#e.questions}get busy(){return this.#t.size>0||this.lost}open(){this.loading=!0,this.#c(!0,0)}send(t){let n={id:sr("msg"),role:"user",parts:[{kind:"text",id:"text",text:t,open:!1}]};this.#e.messages.push(n),this.#u(n,t)}stop(){this.stopped=!0,this.busy&&this.#l(),this.#i=this.busy,this.close(),this.changed()}async#l(){try{await this.api.halt(this.id);for(let t of[0,500,2e3]){if(t>0&&await new Promise(i=>setTimeout(i,t)),!this.stopped)return;let{messages:n,active:r}=await this.api.history(this.id,new AbortController().signal);if(!this.stopped||(this.#e.merge(n),this.changed(),!r&&this.questions.length===0))return}}catch{}}resume(){this.stopped=!1,this.failure=void 0,this.#n?this.#n():!this.#r&&this.#t.size===0&&this.#c(!1,0),this.changed()}settle(t,n){this.#e.settle(t,n),this.changed()}close(){this.#p();for(let t of this.#s.values())t.abort();this.#s.clear();for(let t of[...this.#t])this.#b(t)}async#u(t,n){this.failure=void 0,this.stopped=!1,t.status="sending",this.#n&&(this.#i=!0,this.#p());let r=this.#w();this.changed();try{let i=[{type:"text",text:n}],s={id:this.id,agent:this.agent||void 0,messages:[{id:t.id,role:"user",parts:i}]},o=await this.api.send(s,r.abort.signal);t.status=void 0,this.changed(),this.#m(r,await this.#k(r,o,()=>{this.#u(t,n)}))}catch(i){t.status=this.#t.has(r)?"failed":void 0,t.status&&(this.failure=this.#h(t,n,i)),this.#b(r)}this.changed()}#h(t,n,r){let i=()=>{this.#u(t,n)};if(r instanceof ue)return{kind:"refused",status:r.status,said:r.said,again:i};let s=async()=>{this.failure=void 0,t.status="sending",this.changed();try{let o=await this.api.history(this.id,new AbortController().signal);if(!o.messages.some(a=>a.id===t.id))return i();this.#a(o),o.active&&this.resume()}catch(o){t.status="failed",this.failure=this.#h(t,n,o)}this.changed()};return{kind:"unreachable",again:()=>{s()}}}#m(t,n){let r=!this.#t.has(t);if(this.#b(t),r)return;let i=t.turn.message;if(!n&&i&&(this.#t.size>0||this.#r))return void this.#f(i.id,1);n||(this.#i=!0),!(!this.#i||this.#t.size>0||this.#r)&&(this.lost=!n,this.#c(n,n?0:1))}async#c(t,n){let r=this.#r=new AbortController;for(this.#i=!1;!r.signal.aborted;){if(n>0&&await this.#$(Math.min(1e3*2**(n-1),Vi),r.signal),r.signal.aborted)return;let i=Date.now();try{if(t&&!await this.#d(r.signal)||(t=!1,await this.#g(r.signal)))break}catch(s){if(!r.signal.aborted&&s instanceof ue&&!s.passing){this.failure={kind:"refused",status:s.status,said:s.said,again:()=>this.#o()};break}this.trouble=s instanceof ue?s.said:void 0}if(r.signal.aborted)return;n=Date.now()-i>ta?1:n+1,this.lost=!0,this.changed()}r.signal.aborted||(this.#p(),this.changed())}#o(){this.failure=void 0,this.open(),this.changed()}#p(){this.#r?.abort(),this.#r=void 0,this.loading=this.lost=!1}async#d(t){let n=await this.api.history(this.id,t);return t.aborted?!1:(this.loading=this.lost=!1,this.#a(n),this.changed(),n.active)}#a(t){this.#e.merge(t.messages);for(let n of t.activeMessages.slice(0,-1))this.#f(n,0)}async#f(t,n){if(this.#s.has(t)||[...this.#t].some(i=>i.turn.message?.id===t))return;let{signal:r}=this.#s.set(t,new AbortController).get(t);for(;!r.aborted;n++){if(n>0&&await na(Math.min(1e3*2**(n-1),Vi),r),r.aborted)return;try{if(await this.#g(r,t))break}catch(i){if(i instanceof ue&&!i.passing)break}}r.aborted||this.#s.delete(t),this.changed()}async#g(t,n){let r=this.#w();t.addEventListener("abort",()=>this.#b(r),{once:!0,signal:r.abort.signal});try{let i=await this.api.stream(this.id,r.abort.signal,n);return n===void 0&&(this.lost=this.loading=!1),this.trouble=void 0,this.changed(),i?await this.#k(r,i,()=>this.#o()):(await this.#d(t),!0)}finally{this.#b(r)}}async#k(t,n,r){let i,s=()=>{clearTimeout(i),i=setTimeout(()=>t.abort.abort(),ea)};s();try{for await(let a of Hi(n.body)){if(s(),!this.#t.has(t))return!1;for(let l of a)t.turn.take(l);if(this.#e.show(t),a.length>0&&this.changed(),t.turn.ending)break}}catch{}finally{clearTimeout(i)}let o=t.turn.ending;return o?.error!==void 0&&(this.failure={kind:"failed",said:o.error,again:r}),o!==void 0}#w(){let t=Object.assign(this.#e.writer(),{abort:new AbortController});return this.#t.add(t),t}#b(t){this.#t.delete(t)&&(t.abort.abort(),this.#e.finish(t))}#$(t,n){return new Promise(r=>{let i=()=>{clearTimeout(s),n.removeEventListener("abort",i),this.#n=void 0,r()},s=setTimeout(i,t);this.#n=i,n.addEventListener("abort",i)})}};function na(e,t){return new Promise(n=>{let r=setTimeout(i,e);t.addEventListener("abort",i);function i(){clearTimeout(r),t.removeEventListener("abort",i),n()}})}function sr(e){let t=crypto.getRandomValues(new Uint8Array(16));return`${e}_${[...t].map(n=>n.toString(16).padStart(2,"0")).join("")}`}var ce=e=>ne`<svg viewBox="0 0 24 24" aria-hidden="true">${e}</svg>`,j={connect:ce(ne`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:ce(ne`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:ce(ne`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:ce(ne`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:ce(ne`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:ce(ne`<path d="M7 7l10 10M17 7 7 17"/>`),tool:ce(ne`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:ce(ne`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:ce(ne`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:ce(ne`<path d="M12 5v14M5 12h14"/>`),down:ce(ne`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:ce(ne`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),chevron:ce(ne`<path d="m9 6 6 6-6 6"/>`)};var ra={},Et=st(class extends Pe{constructor(){super(...arguments),this.ot=ra}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((r,i)=>r===this.ot[i]))return te}else if(this.ot===t)return te;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});function or(e,t,n){let r=pn(e);if(!r||r.protocol!=="https:"&&r.protocol!=="http:"||r.username!==""||r.password!=="")return;let{hostname:i,host:s,href:o,origin:a}=r,l=n&&(i===n||i.endsWith(`.${n}`)),c=l?n:s,u=o.indexOf("//")+2+(l?i.length-n.length:0);return{href:o,before:o.slice(0,u),trust:c,after:o.slice(u+c.length),foreign:a!==pn(t)?.origin,insecure:r.protocol==="http:"&&!ia(i)}}function pn(e){try{return new URL(e??"")}catch{return}}function ia(e){return e==="localhost"||e.endsWith(".localhost")||e==="[::1]"||/^127(\.\d+){3}$/.test(e)}function ar(e){let t=pn(e);return t&&(t.protocol==="https:"||t.protocol==="http:")?t.href:void 0}function lr(e){let t=pn(e);return t?.protocol==="mailto:"?t.href:ar(e)}function Ct(e){return nr(e).map(t=>t.kind===void 0?t.text:k`<bdi dir=${t.kind==="phrase"?"rtl":"ltr"}>${t.text}</bdi>`)}var ur=/( {0,3})(?:(`{3,})(?!`)([^`\n]*)|(~{3,})(?!~)([^\n]*))\n/y;function Wi(e,t){ur.lastIndex=t;let n=ur.exec(e);return n?new cr(ur.lastIndex,n[2]??n[4],n[1].length,n[3]??n[5]):void 0}var cr=class{constructor(t,n,r,i){this.at=t;this.indent=r;this.#r=/^\S*/.exec(i.trim())[0],this.#n=new RegExp(`^ {0,3}${n[0]}{${n.length},}[ \\t\\r]*$`),this.#i=new RegExp(`^ {0,3}${n[0]}+[ \\t\\r]*$`)}at;indent;#e="";#t="";#r;#n;#i;take(t){for(;;){let n=t.indexOf(`
`,this.at),r=t.slice(this.at,n<0?void 0:n);if(this.#n.test(r))return this.#t="",n<0?t.length:n+1;if(n<0){this.#t=this.#i.test(r)?"":this.#s(r);return}this.#e+=this.#s(r)+`
`,this.at=n+1}}block(){return{kind:"code",text:this.#t===""?this.#e.slice(0,-1):this.#e+this.#t,language:this.#r}}#s(t){let n=0;for(;n<this.indent&&t[n]===" ";)n++;return t.slice(n)}};var sa={};function dr(e,t){let n=t||sa,r=typeof n.includeImageAlt=="boolean"?n.includeImageAlt:!0,i=typeof n.includeHtml=="boolean"?n.includeHtml:!0;return Yi(e,r,i)}function Yi(e,t,n){if(oa(e)){if("value"in e)return e.type==="html"&&!n?"":e.value;if(t&&"alt"in e&&e.alt)return e.alt;if("children"in e)return Qi(e.children,t,n)}return Array.isArray(e)?Qi(e,t,n):""}function Qi(e,t,n){let r=[],i=-1;for(;++i<e.length;)r[i]=Yi(e[i],t,n);return r.join("")}function oa(e){return!!(e&&typeof e=="object")}var Ji={amp:"&",apos:"'",bull:"•",cent:"¢",copy:"©",deg:"°",divide:"÷",euro:"€",frac12:"½",ge:"≥",gt:">",hellip:"…",infin:"∞",laquo:"«",larr:"←",ldquo:"“",le:"≤",lsquo:"‘",lt:"<",mdash:"—",micro:"µ",middot:"·",minus:"−",nbsp:" ",ndash:"–",ne:"≠",para:"¶",plusmn:"±",pound:"£",quot:'"',raquo:"»",rarr:"→",rdquo:"”",reg:"®",rsquo:"’",sect:"§",times:"×",trade:"™",yen:"¥"};function ut(e){return Object.hasOwn(Ji,e)?Ji[e]:!1}function Z(e,t,n,r){let i=e.length,s=0,o;if(t<0?t=-t>i?0:i+t:t=t>i?i:t,n=n>0?n:0,r.length<1e4)o=Array.from(r),o.unshift(t,n),e.splice(...o);else for(n&&e.splice(t,n);s<r.length;)o=r.slice(s,s+1e4),o.unshift(t,0),e.splice(...o),s+=1e4,t+=1e4}function re(e,t){return e.length>0?(Z(e,e.length,0,t),e):t}var Ki={}.hasOwnProperty;function Gi(e){let t={},n=-1;for(;++n<e.length;)aa(t,e[n]);return t}function aa(e,t){let n;for(n in t){let i=(Ki.call(e,n)?e[n]:void 0)||(e[n]={}),s=t[n],o;if(s)for(o in s){Ki.call(i,o)||(i[o]=[]);let a=s[o];la(i[o],Array.isArray(a)?a:a?[a]:[])}}}function la(e,t){let n=-1,r=[];for(;++n<t.length;)(t[n].add==="after"?e:r).push(t[n]);Z(e,0,0,r)}function mn(e,t){let n=Number.parseInt(e,t);return n<9||n===11||n>13&&n<32||n>126&&n<160||n>55295&&n<57344||n>64975&&n<65008||(n&65535)===65535||(n&65535)===65534||n>1114111?"�":String.fromCodePoint(n)}function Ee(e){return e.replace(/[\t\n\r ]+/g," ").replace(/^ | $/g,"").toLowerCase().toUpperCase()}var K=qe(/[A-Za-z]/),G=qe(/[\dA-Za-z]/),Zi=qe(/[#-'*+\--9=?A-Z^-~]/);function Ye(e){return e!==null&&(e<32||e===127)}var It=qe(/\d/),Xi=qe(/[\dA-Fa-f]/),es=qe(/[!-/:-@[-`{-~]/);function $(e){return e!==null&&e<-2}function q(e){return e!==null&&(e<0||e===32)}function E(e){return e===-2||e===-1||e===32}var zt=qe(/\p{P}|\p{S}/u),Oe=qe(/\s/);function qe(e){return t;function t(n){return n!==null&&n>-1&&e.test(String.fromCharCode(n))}}function C(e,t,n,r){let i=r?r-1:1/0,s=0;return o;function o(l){return E(l)?(e.enter(n),a(l)):t(l)}function a(l){return E(l)&&s++<i?(e.consume(l),a):(e.exit(n),t(l))}}function hr(e,t,n,r,i,s){let o=0;return a;function a(u){return s>0&&E(u)?(e.enter(r),l(u)):c(u)}function l(u){return E(u)&&o<s?(e.consume(u),o++,l):(e.exit(r),c(u))}function c(u){return o>=i?t(u):n(u)}}var ts={tokenize:ua};function ua(e){let t=e.attempt(this.parser.constructs.contentInitial,r,i),n;return t;function r(a){if(a===null){e.consume(a);return}return e.enter("lineEnding"),e.consume(a),e.exit("lineEnding"),C(e,t,"linePrefix")}function i(a){return e.enter("paragraph"),s(a)}function s(a){let l=e.enter("chunkText",{contentType:"text",previous:n});return n&&(n.next=l),n=l,o(a)}function o(a){if(a===null){e.exit("chunkText"),e.exit("paragraph"),e.consume(a);return}return $(a)?(e.consume(a),e.exit("chunkText"),s):(e.consume(a),o)}}var Ce=class{constructor(){this.index=new Map,this.map=[]}add(t,n,r){ns(this,t,n,r,!1)}addBefore(t,n,r){ns(this,t,n,r,!0)}consume(t){if(this.map.sort(function(s,o){return s[0]-o[0]}),this.map.length===0)return;let n=this.map.length,r=[];for(;n>0;)n-=1,r.push(t.slice(this.map[n][0]+this.map[n][1]),this.map[n][2]),t.length=this.map[n][0];r.push(t.slice()),t.length=0;let i=r.pop();for(;i;){for(let s of i)t.push(s);i=r.pop()}this.map.length=0,this.index.clear()}};function ns(e,t,n,r,i){if(n===0&&r.length===0)return;let s=e.index.get(t);if(s){s[1]+=n,i?(r.push(...s[2]),s[2]=r):s[2].push(...r);return}let o=[t,n,r];e.map.push(o),e.index.set(t,o)}var is={tokenize:ca},rs={tokenize:da};function ca(e){let t=this,n=[],r=0,i,s,o;return a;function a(_){if(r<n.length){let F=n[r];return t.containerState=F[1],e.attempt(F[0].continuation,l,c)(_)}return c(_)}function l(_){if(r++,t.containerState._closeFlow){t.containerState._closeFlow=void 0,i&&U();let F=t.events.length,B=F,x;for(;B--;)if(t.events[B][0]==="exit"&&t.events[B][1].type==="chunkFlow"){x=t.events[B][1].end;break}v(r);let O=F;for(;O<t.events.length;)t.events[O][1].end={...x},O++;let N=new Ce;return N.add(B+1,0,t.events.slice(F)),N.add(F,O-F,[]),N.consume(t.events),c(_)}return a(_)}function c(_){if(r===n.length){if(!i)return f(_);if(i.currentConstruct&&i.currentConstruct.concrete)return y(_);t.interrupt=!!(i.currentConstruct&&!i._gfmTableDynamicInterruptHack)}return t.containerState={},e.check(rs,u,d)(_)}function u(_){return i&&U(),v(r),f(_)}function d(_){return t.parser.lazy[t.now().line]=r!==n.length,o=t.now().offset,y(_)}function f(_){return t.containerState={},e.attempt(rs,h,y)(_)}function h(_){return r++,n.push([t.currentConstruct,t.containerState]),f(_)}function y(_){if(_===null){i&&U(),v(0),e.consume(_);return}return i=i||t.parser.flow(t.now()),e.enter("chunkFlow",{_tokenizer:i,contentType:"flow",previous:s}),I(_)}function I(_){if(_===null){M(e.exit("chunkFlow"),!0),v(0),e.consume(_);return}return $(_)?(e.consume(_),M(e.exit("chunkFlow")),r=0,t.interrupt=void 0,a):(e.consume(_),I)}function M(_,F){let B=t.sliceStream(_);if(F&&B.push(null),_.previous=s,s&&(s.next=_),s=_,i.defineSkip(_.start),i.write(B),t.parser.lazy[_.start.line]){let x=i.events.length;for(;x--;)if(i.events[x][1].start.offset<o&&(!i.events[x][1].end||i.events[x][1].end.offset>o))return;let O=t.events.length,N=O,Q,g;for(;N--;)if(t.events[N][0]==="exit"&&t.events[N][1].type==="chunkFlow"){if(Q){g=t.events[N][1].end;break}Q=!0}for(v(r),x=O;x<t.events.length;)t.events[x][1].end={...g},x++;let D=new Ce;D.add(N+1,0,t.events.slice(O)),D.add(O,x-O,[]),D.consume(t.events)}}function v(_){let F=n.length;for(;F-- >_;){let B=n[F];t.containerState=B[1],B[0].exit.call(t,e)}n.length=_}function U(){i.write([null]),s=void 0,i=void 0,t.containerState._closeFlow=void 0}}function da(e,t,n){return C(e,e.attempt(this.parser.constructs.document,t,n),"linePrefix",this.parser.constructs.disable.null.includes("codeIndented")?void 0:4)}function ct(e){if(e===null||q(e)||Oe(e))return 1;if(zt(e))return 2}function Fe(e,t,n){let r=[],i=-1;for(;++i<e.length;){let s=e[i].resolveAll;s&&!r.includes(s)&&(t=s(t,n),r.push(s))}return t}var De={name:"attention",resolveAll:ha,tokenize:pa};function ha(e,t){let n=-1,r;for(;++n<e.length;)if(e[n][0]==="enter"&&e[n][1].type==="attentionSequence"&&e[n][1]._close){let i=n;for(;i--;)if(e[i][0]==="exit"&&e[i][1].type==="attentionSequence"&&e[i][1]._open&&t.sliceSerialize(e[i][1]).charCodeAt(0)===t.sliceSerialize(e[n][1]).charCodeAt(0)){if((e[i][1]._close||e[n][1]._open)&&(e[n][1].end.offset-e[n][1].start.offset)%3&&!((e[i][1].end.offset-e[i][1].start.offset+e[n][1].end.offset-e[n][1].start.offset)%3))continue;let s=e[i][1].end.offset-e[i][1].start.offset>1&&e[n][1].end.offset-e[n][1].start.offset>1?2:1,o={...e[i][1].end},a={...e[n][1].start};ss(o,-s),ss(a,s);let l={type:s>1?"strongSequence":"emphasisSequence",start:o,end:{...e[i][1].end}},c={type:s>1?"strongSequence":"emphasisSequence",start:{...e[n][1].start},end:a},u={type:s>1?"strongText":"emphasisText",start:{...e[i][1].end},end:{...e[n][1].start}},d={type:s>1?"strong":"emphasis",start:{...l.start},end:{...c.end}};e[i][1].end={...l.start},e[n][1].start={...c.end},r=[],e[i][1].end.offset-e[i][1].start.offset&&(r=re(r,[["enter",e[i][1],t],["exit",e[i][1],t]])),r=re(r,[["enter",d,t],["enter",l,t],["exit",l,t],["enter",u,t]]),r=re(r,Fe(t.parser.constructs.insideSpan.null,e.slice(i+1,n),t)),r=re(r,[["exit",u,t],["enter",c,t],["exit",c,t],["exit",d,t]]);let f=0;e[n][1].end.offset-e[n][1].start.offset&&(f=2,r=re(r,[["enter",e[n][1],t],["exit",e[n][1],t]])),Z(e,i-1,n-i+3,r),n=i+r.length-f-2;break}}for(n=-1;++n<e.length;)e[n][1].type==="attentionSequence"&&(e[n][1].type="data");return e}function pa(e,t){let n=this.parser.constructs.attentionMarkers.null,r=this.previous,i=ct(r),s;return o;function o(l){return s=l,e.enter("attentionSequence"),a(l)}function a(l){if(l===s)return e.consume(l),a;let c=e.exit("attentionSequence"),u=ct(l),d=!u||u===2&&i||n.includes(l)&&l!==42&&l!==95,f=!i||i===2&&u||n.includes(r)&&r!==42&&r!==95;return c._open=!!(s===42?d:d&&(i||!f)),c._close=!!(s===42?f:f&&(u||!d)),t(l)}}function ss(e,t){e.column+=t,e.offset+=t,e._bufferIndex+=t}var Lt={name:"autolink",tokenize:ma};function ma(e,t,n){let r=0;return i;function i(h){return e.enter("autolink"),e.enter("autolinkMarker"),e.consume(h),e.exit("autolinkMarker"),e.enter("autolinkProtocol"),s}function s(h){return K(h)?(e.consume(h),o):h===64?n(h):c(h)}function o(h){return h===43||h===45||h===46||G(h)?(r=1,a(h)):c(h)}function a(h){return h===58?(e.consume(h),r=0,l):(h===43||h===45||h===46||G(h))&&r++<32?(e.consume(h),a):(r=0,c(h))}function l(h){return h===62?(e.exit("autolinkProtocol"),e.enter("autolinkMarker"),e.consume(h),e.exit("autolinkMarker"),e.exit("autolink"),t):h===null||h===32||h===60||Ye(h)?n(h):(e.consume(h),l)}function c(h){return h===64?(e.consume(h),u):Zi(h)?(e.consume(h),c):n(h)}function u(h){return G(h)?d(h):n(h)}function d(h){return h===46?(e.consume(h),r=0,u):h===62?(e.exit("autolinkProtocol").type="autolinkEmail",e.enter("autolinkMarker"),e.consume(h),e.exit("autolinkMarker"),e.exit("autolink"),t):f(h)}function f(h){if((h===45||G(h))&&r++<63){let y=h===45?f:d;return e.consume(h),y}return n(h)}}var Be={partial:!0,tokenize:fa};function fa(e,t,n){return r;function r(s){return E(s)?C(e,i,"linePrefix")(s):i(s)}function i(s){return s===null||$(s)?t(s):n(s)}}var dt={continuation:{tokenize:ba},exit:ka,name:"blockQuote",tokenize:ga};function ga(e,t,n){let r=this;return i;function i(o){if(o===62){let a=r.containerState;return a.open||(e.enter("blockQuote",{_container:!0}),a.open=!0),e.enter("blockQuotePrefix"),e.enter("blockQuoteMarker"),e.consume(o),e.exit("blockQuoteMarker"),s}return n(o)}function s(o){return E(o)?(e.enter("blockQuotePrefixWhitespace"),e.consume(o),e.exit("blockQuotePrefixWhitespace"),e.exit("blockQuotePrefix"),t):(e.exit("blockQuotePrefix"),t(o))}}function ba(e,t,n){let r=this;return i;function i(o){return E(o)?C(e,s,"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(o):s(o)}function s(o){return e.attempt(dt,t,n)(o)}}function ka(e){e.exit("blockQuote")}var fn={name:"characterEscape",tokenize:xa};function xa(e,t,n){return r;function r(s){return e.enter("characterEscape"),e.enter("escapeMarker"),e.consume(s),e.exit("escapeMarker"),i}function i(s){return es(s)?(e.enter("characterEscapeValue"),e.consume(s),e.exit("characterEscapeValue"),e.exit("characterEscape"),t):n(s)}}var gn={name:"characterReference",tokenize:ya};function ya(e,t,n){let r=this,i=0,s,o;return a;function a(d){return e.enter("characterReference"),e.enter("characterReferenceMarker"),e.consume(d),e.exit("characterReferenceMarker"),l}function l(d){return d===35?(e.enter("characterReferenceMarkerNumeric"),e.consume(d),e.exit("characterReferenceMarkerNumeric"),c):(e.enter("characterReferenceValue"),s=31,o=G,u(d))}function c(d){return d===88||d===120?(e.enter("characterReferenceMarkerHexadecimal"),e.consume(d),e.exit("characterReferenceMarkerHexadecimal"),e.enter("characterReferenceValue"),s=6,o=Xi,u):(e.enter("characterReferenceValue"),s=7,o=It,u(d))}function u(d){if(d===59&&i){let f=e.exit("characterReferenceValue");return o===G&&!ut(r.sliceSerialize(f))?n(d):(e.enter("characterReferenceMarker"),e.consume(d),e.exit("characterReferenceMarker"),e.exit("characterReference"),t)}return o(d)&&i++<s?(e.consume(d),u):n(d)}}var Rt={partial:!0,tokenize:wa};function wa(e,t,n){let r=this;return i;function i(o){return o===null?n(o):(e.enter("lineEnding"),e.consume(o),e.exit("lineEnding"),s)}function s(o){return r.parser.lazy[r.now().line]?n(o):t(o)}}var bn={concrete:!0,name:"codeFenced",tokenize:va};function va(e,t,n){let r=this,i={partial:!0,tokenize:B},s=0,o=0,a;return l;function l(x){return c(x)}function c(x){let O=r.events[r.events.length-1];return s=O&&O[1].type==="linePrefix"?O[2].sliceSerialize(O[1],!0).length:0,a=x,e.enter("codeFenced"),e.enter("codeFencedFence"),e.enter("codeFencedFenceSequence"),u(x)}function u(x){return x===a?(o++,e.consume(x),u):o<3?n(x):(e.exit("codeFencedFenceSequence"),E(x)?C(e,d,"whitespace")(x):d(x))}function d(x){return x===null||$(x)?(e.exit("codeFencedFence"),r.interrupt?t(x):e.check(Rt,I,F)(x)):(e.enter("codeFencedFenceInfo"),e.enter("chunkString",{contentType:"string"}),f(x))}function f(x){return x===null||$(x)?(e.exit("chunkString"),e.exit("codeFencedFenceInfo"),d(x)):E(x)?(e.exit("chunkString"),e.exit("codeFencedFenceInfo"),C(e,h,"whitespace")(x)):x===96&&x===a?n(x):(e.consume(x),f)}function h(x){return x===null||$(x)?d(x):(e.enter("codeFencedFenceMeta"),e.enter("chunkString",{contentType:"string"}),y(x))}function y(x){return x===null||$(x)?(e.exit("chunkString"),e.exit("codeFencedFenceMeta"),d(x)):x===96&&x===a?n(x):(e.consume(x),y)}function I(x){return e.attempt(i,F,M)(x)}function M(x){return e.enter("lineEnding"),e.consume(x),e.exit("lineEnding"),v}function v(x){return s>0&&E(x)?C(e,U,"linePrefix",s+1)(x):U(x)}function U(x){return x===null||$(x)?e.check(Rt,I,F)(x):(e.enter("codeFlowValue"),_(x))}function _(x){return x===null||$(x)?(e.exit("codeFlowValue"),U(x)):(e.consume(x),_)}function F(x){return e.exit("codeFenced"),t(x)}function B(x,O,N){let Q=0;return g;function g(R){return x.enter("lineEnding"),x.consume(R),x.exit("lineEnding"),D}function D(R){return x.enter("codeFencedFence"),E(R)?C(x,H,"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(R):H(R)}function H(R){return R===a?(x.enter("codeFencedFenceSequence"),T(R)):N(R)}function T(R){return R===a?(Q++,x.consume(R),T):Q>=o?(x.exit("codeFencedFenceSequence"),E(R)?C(x,P,"whitespace")(R):P(R)):N(R)}function P(R){return R===null||$(R)?(x.exit("codeFencedFence"),O(R)):N(R)}}}var Pt={name:"codeIndented",tokenize:Sa},$a={partial:!0,tokenize:_a};function Sa(e,t,n){return r;function r(a){return e.enter("codeIndented"),hr(e,i,n,"linePrefix",4,4)(a)}function i(a){return a===null?o(a):$(a)?e.attempt($a,i,o)(a):(e.enter("codeFlowValue"),s(a))}function s(a){return a===null||$(a)?(e.exit("codeFlowValue"),i(a)):(e.consume(a),s)}function o(a){return e.exit("codeIndented"),t(a)}}function _a(e,t,n){let r=this;return i;function i(o){return r.parser.lazy[r.now().line]?n(o):$(o)?(e.enter("lineEnding"),e.consume(o),e.exit("lineEnding"),i):hr(e,t,s,"linePrefix",4,4)(o)}function s(o){return $(o)?i(o):n(o)}}var Mt={name:"codeText",previous:Aa,resolve:Ta,tokenize:Ea};function Ta(e){let t=e.length-4,n=3,r,i;if((e[n][1].type==="lineEnding"||e[n][1].type==="space")&&(e[t][1].type==="lineEnding"||e[t][1].type==="space")){for(r=n;++r<t;)if(e[r][1].type==="codeTextData"){e[n][1].type="codeTextPadding",e[t][1].type="codeTextPadding",n+=2,t-=2;break}}for(r=n-1,t++;++r<=t;)i===void 0?r!==t&&e[r][1].type!=="lineEnding"&&(i=r):(r===t||e[r][1].type==="lineEnding")&&(e[i][1].type="codeTextData",r!==i+2&&(e[i][1].end=e[r-1][1].end,e.splice(i+2,r-i-2),t-=r-i-2,r=i+2),i=void 0);return e}function Aa(e){return e!==96||this.events[this.events.length-1][1].type==="characterEscape"}function Ea(e,t,n){let r=this,i=0,s,o;return a;function a(f){return e.enter("codeText"),e.enter("codeTextSequence"),l(f)}function l(f){return f===96?(e.consume(f),i++,l):(e.exit("codeTextSequence"),c(f))}function c(f){return f===null?n(f):f===32?(e.enter("space"),e.consume(f),e.exit("space"),c):f===96?(o=e.enter("codeTextSequence"),s=0,d(f)):$(f)?(e.enter("lineEnding"),e.consume(f),e.exit("lineEnding"),c):(e.enter("codeTextData"),u(f))}function u(f){return f===null||f===32||f===96||$(f)?(e.exit("codeTextData"),c(f)):(e.consume(f),u)}function d(f){return f===96?(e.consume(f),s++,d):s===i?(e.exit("codeTextSequence"),e.exit("codeText"),t(f)):(o.type="codeTextData",u(f))}}var kn=class{constructor(t){this.left=t?[...t]:[],this.right=[]}get(t){if(t<0||t>=this.left.length+this.right.length)throw new RangeError("Cannot access index `"+t+"` in a splice buffer of size `"+(this.left.length+this.right.length)+"`");return t<this.left.length?this.left[t]:this.right[this.right.length-t+this.left.length-1]}get length(){return this.left.length+this.right.length}shift(){return this.setCursor(0),this.right.pop()}slice(t,n){let r=n??Number.POSITIVE_INFINITY;return r<this.left.length?this.left.slice(t,r):t>this.left.length?this.right.slice(this.right.length-r+this.left.length,this.right.length-t+this.left.length).reverse():this.left.slice(t).concat(this.right.slice(this.right.length-r+this.left.length).reverse())}splice(t,n,r){let i=n||0;this.setCursor(Math.trunc(t));let s=this.right.splice(this.right.length-i,Number.POSITIVE_INFINITY);return r&&Ot(this.left,r),s.reverse()}pop(){return this.setCursor(Number.POSITIVE_INFINITY),this.left.pop()}push(t){this.setCursor(Number.POSITIVE_INFINITY),this.left.push(t)}pushMany(t){this.setCursor(Number.POSITIVE_INFINITY),Ot(this.left,t)}unshift(t){this.setCursor(0),this.right.push(t)}unshiftMany(t){this.setCursor(0),Ot(this.right,t.reverse())}setCursor(t){if(!(t===this.left.length||t>this.left.length&&this.right.length===0||t<0&&this.left.length===0))if(t<this.left.length){let n=this.left.splice(t,Number.POSITIVE_INFINITY);Ot(this.right,n.reverse())}else{let n=this.right.splice(this.left.length+this.right.length-t,Number.POSITIVE_INFINITY);Ot(this.left,n.reverse())}}};function Ot(e,t){let n=0;if(t.length<1e4)e.push(...t);else for(;n<t.length;)e.push(...t.slice(n,n+1e4)),n+=1e4}function xn(e){let t={},n=-1,r,i,s,o,a,l,c,u=new kn(e);for(;++n<u.length;){for(;n in t;)n=t[n];if(r=u.get(n),n&&r[1].type==="chunkFlow"&&u.get(n-1)[1].type==="listItemPrefix"&&(l=r[1]._tokenizer.events,s=0,s<l.length&&l[s][1].type==="lineEndingBlank"&&(s+=2),s<l.length&&l[s][1].type==="content"))for(;++s<l.length&&l[s][1].type!=="content";)l[s][1].type==="chunkText"&&(l[s][1]._isInFirstContentOfListItem=!0,s++);if(r[0]==="enter")r[1].contentType&&(Object.assign(t,Ca(u,n)),n=t[n],c=!0);else if(r[1]._container){for(s=n,i=void 0;s--;)if(o=u.get(s),o[1].type==="lineEnding"||o[1].type==="lineEndingBlank")o[0]==="enter"&&(i&&(u.get(i)[1].type="lineEndingBlank"),o[1].type="lineEnding",i=s);else if(!(o[1].type==="linePrefix"||o[1].type==="listItemIndent"))break;i&&(r[1].end={...u.get(i)[1].start},a=u.slice(i,n),a.unshift(r),u.splice(i,n-i+1,a))}}return Z(e,0,Number.POSITIVE_INFINITY,u.slice(0)),!c}function Ca(e,t){let n=e.get(t)[1],r=e.get(t)[2],i=t-1,s=[],o=n._tokenizer;o||(o=r.parser[n.contentType](n.start),n._contentTypeTextTrailing&&(o._contentTypeTextTrailing=!0));let a=o.events,l=[],c={},u,d,f=-1,h=n,y=0,I=0,M=[I];for(;h;){for(;e.get(++i)[1]!==h;);s.push(i),h._tokenizer||(u=r.sliceStream(h),h.next||u.push(null),d&&o.defineSkip(h.start),h._isInFirstContentOfListItem&&(o._gfmTasklistFirstContentOfListItem=!0),o.write(u),h._isInFirstContentOfListItem&&(o._gfmTasklistFirstContentOfListItem=void 0)),d=h,h=h.next}for(h=n;++f<a.length;)a[f][0]==="exit"&&a[f-1][0]==="enter"&&a[f][1].type===a[f-1][1].type&&a[f][1].start.line!==a[f][1].end.line&&(I=f+1,M.push(I),h._tokenizer=void 0,h.previous=void 0,h=h.next);for(o.events=[],h?(h._tokenizer=void 0,h.previous=void 0):M.pop(),f=M.length;f--;){let v=a.slice(M[f],M[f+1]),U=s.pop();l.push([U,U+v.length-1]),e.splice(U,2,v)}for(l.reverse(),f=-1;++f<l.length;)c[y+l[f][0]]=y+l[f][1],y+=l[f][1]-l[f][0]-1;return c}var pr={resolve:za,tokenize:La},Ia={partial:!0,tokenize:Ra};function za(e){return xn(e),e}function La(e,t){let n;return r;function r(a){return e.enter("content"),n=e.enter("chunkContent",{contentType:"content"}),i(a)}function i(a){return a===null?s(a):$(a)?e.check(Ia,o,s)(a):(e.consume(a),i)}function s(a){return e.exit("chunkContent"),e.exit("content"),t(a)}function o(a){return e.consume(a),e.exit("chunkContent"),n.next=e.enter("chunkContent",{contentType:"content",previous:n}),n=n.next,i}}function Ra(e,t,n){let r=this;return i;function i(o){return e.exit("chunkContent"),e.enter("lineEnding"),e.consume(o),e.exit("lineEnding"),C(e,s,"linePrefix")}function s(o){if(o===null||$(o))return n(o);let a=r.events[r.events.length-1];return!r.parser.constructs.disable.null.includes("codeIndented")&&a&&a[1].type==="linePrefix"&&a[2].sliceSerialize(a[1],!0).length>=4?t(o):e.interrupt(r.parser.constructs.flow,n,t)(o)}}function yn(e,t,n,r,i,s,o,a,l){let c=l||Number.POSITIVE_INFINITY,u=0;return d;function d(v){return v===60?(e.enter(r),e.enter(i),e.enter(s),e.consume(v),e.exit(s),f):v===null||v===32||v===41||Ye(v)?n(v):(e.enter(r),e.enter(o),e.enter(a),e.enter("chunkString",{contentType:"string"}),I(v))}function f(v){return v===62?(e.enter(s),e.consume(v),e.exit(s),e.exit(i),e.exit(r),t):(e.enter(a),e.enter("chunkString",{contentType:"string"}),h(v))}function h(v){return v===62?(e.exit("chunkString"),e.exit(a),f(v)):v===null||v===60||$(v)?n(v):(e.consume(v),v===92?y:h)}function y(v){return v===60||v===62||v===92?(e.consume(v),h):h(v)}function I(v){return!u&&(v===null||v===41||q(v))?(e.exit("chunkString"),e.exit(a),e.exit(o),e.exit(r),t(v)):u<c&&v===40?(e.consume(v),u++,I):v===41?(e.consume(v),u--,I):v===null||v===32||v===40||Ye(v)?n(v):(e.consume(v),v===92?M:I)}function M(v){return v===40||v===41||v===92?(e.consume(v),I):I(v)}}function wn(e,t,n,r,i,s){let o=this,a=0,l;return c;function c(h){return e.enter(r),e.enter(i),e.consume(h),e.exit(i),e.enter(s),u}function u(h){return a>999||h===null||h===91||h===93&&!l||h===94&&!a&&"_hiddenFootnoteSupport"in o.parser.constructs?n(h):h===93?(e.exit(s),e.enter(i),e.consume(h),e.exit(i),e.exit(r),t):$(h)?(e.enter("lineEnding"),e.consume(h),e.exit("lineEnding"),u):(e.enter("chunkString",{contentType:"string"}),d(h))}function d(h){return h===null||h===91||h===93||$(h)||a++>999?(e.exit("chunkString"),u(h)):(e.consume(h),l||(l=!E(h)),h===92?f:d)}function f(h){return h===91||h===92||h===93?(e.consume(h),a++,d):d(h)}}function vn(e,t,n,r,i,s){let o;return a;function a(f){return f===34||f===39||f===40?(e.enter(r),e.enter(i),e.consume(f),e.exit(i),o=f===40?41:f,l):n(f)}function l(f){return f===o?(e.enter(i),e.consume(f),e.exit(i),e.exit(r),t):(e.enter(s),c(f))}function c(f){return f===o?(e.exit(s),l(o)):f===null?n(f):$(f)?(e.enter("lineEnding"),e.consume(f),e.exit("lineEnding"),C(e,c,"linePrefix")):(e.enter("chunkString",{contentType:"string"}),u(f))}function u(f){return f===o||f===null||$(f)?(e.exit("chunkString"),c(f)):(e.consume(f),f===92?d:u)}function d(f){return f===o||f===92?(e.consume(f),u):u(f)}}function Je(e,t){let n;return r;function r(i){return $(i)?(e.enter("lineEnding"),e.consume(i),e.exit("lineEnding"),n=!0,r):E(i)?C(e,r,n?"linePrefix":"lineSuffix")(i):t(i)}}var mr={name:"definition",tokenize:Ma},Pa={partial:!0,tokenize:Oa};function Ma(e,t,n){let r=this,i;return s;function s(h){return e.enter("definition"),o(h)}function o(h){return wn.call(r,e,a,n,"definitionLabel","definitionLabelMarker","definitionLabelString")(h)}function a(h){return i=Ee(r.sliceSerialize(r.events[r.events.length-1][1]).slice(1,-1)),h===58?(e.enter("definitionMarker"),e.consume(h),e.exit("definitionMarker"),l):n(h)}function l(h){return q(h)?Je(e,c)(h):c(h)}function c(h){return yn(e,u,n,"definitionDestination","definitionDestinationLiteral","definitionDestinationLiteralMarker","definitionDestinationRaw","definitionDestinationString")(h)}function u(h){return e.attempt(Pa,d,d)(h)}function d(h){return E(h)?C(e,f,"whitespace")(h):f(h)}function f(h){return h===null||$(h)?(e.exit("definition"),r.parser.defined.push(i),t(h)):n(h)}}function Oa(e,t,n){return r;function r(a){return q(a)?Je(e,i)(a):n(a)}function i(a){return vn(e,s,n,"definitionTitle","definitionTitleMarker","definitionTitleString")(a)}function s(a){return E(a)?C(e,o,"whitespace")(a):o(a)}function o(a){return a===null||$(a)?t(a):n(a)}}var fr={name:"hardBreakEscape",tokenize:qa};function qa(e,t,n){return r;function r(s){return e.enter("hardBreakEscape"),e.consume(s),i}function i(s){return $(s)?(e.exit("hardBreakEscape"),t(s)):n(s)}}var gr={name:"headingAtx",resolve:Fa,tokenize:Da};function Fa(e,t){let n=e.length-2,r=3;if(e[r][1].type==="whitespace"&&(r+=2),n-2>r&&e[n][1].type==="whitespace"&&(n-=2),e[n][1].type==="atxHeadingSequence"&&(r===n-1||n-4>r&&e[n-2][1].type==="whitespace")&&(n-=r+1===n?2:4),n>r){let i={type:"atxHeadingText",start:e[r][1].start,end:e[n][1].end},s={type:"chunkText",start:e[r][1].start,end:e[n][1].end,contentType:"text"};Z(e,r,n-r+1,[["enter",i,t],["enter",s,t],["exit",s,t],["exit",i,t]])}return e}function Da(e,t,n){let r=0;return i;function i(u){return e.enter("atxHeading"),s(u)}function s(u){return e.enter("atxHeadingSequence"),o(u)}function o(u){return u===35&&r++<6?(e.consume(u),o):u===null||q(u)?(e.exit("atxHeadingSequence"),a(u)):n(u)}function a(u){return u===35?(e.enter("atxHeadingSequence"),l(u)):u===null||$(u)?(e.exit("atxHeading"),t(u)):E(u)?C(e,a,"whitespace")(u):(e.enter("atxHeadingText"),c(u))}function l(u){return u===35?(e.consume(u),l):(e.exit("atxHeadingSequence"),a(u))}function c(u){return u===null||u===35||q(u)?(e.exit("atxHeadingText"),a(u)):(e.consume(u),c)}}var os=["address","article","aside","base","basefont","blockquote","body","caption","center","col","colgroup","dd","details","dialog","dir","div","dl","dt","fieldset","figcaption","figure","footer","form","frame","frameset","h1","h2","h3","h4","h5","h6","head","header","hr","html","iframe","legend","li","link","main","menu","menuitem","nav","noframes","ol","optgroup","option","p","param","search","section","summary","table","tbody","td","tfoot","th","thead","title","tr","track","ul"],br=["pre","script","style","textarea"];var kr={concrete:!0,name:"htmlFlow",resolveTo:Na,tokenize:Ha},Ba={partial:!0,tokenize:ja};function Na(e){let t=e.length;for(;t--&&!(e[t][0]==="enter"&&e[t][1].type==="htmlFlow"););return t>1&&e[t-2][1].type==="linePrefix"&&(e[t][1].start=e[t-2][1].start,e[t+1][1].start=e[t-2][1].start,e.splice(t-2,2)),e}function Ha(e,t,n){let r=this,i,s,o,a,l;return c;function c(m){return u(m)}function u(m){return e.enter("htmlFlow"),e.enter("htmlFlowData"),e.consume(m),d}function d(m){return m===33?(e.consume(m),f):m===47?(e.consume(m),s=!0,I):m===63?(e.consume(m),i=3,r.interrupt?t:p):K(m)?(e.consume(m),o=String.fromCharCode(m),M):n(m)}function f(m){return m===45?(e.consume(m),i=2,h):m===91?(e.consume(m),i=5,a=0,y):K(m)?(e.consume(m),i=4,r.interrupt?t:p):n(m)}function h(m){return m===45?(e.consume(m),r.interrupt?t:p):n(m)}function y(m){let oe="CDATA[";return m===oe.charCodeAt(a++)?(e.consume(m),a===oe.length?r.interrupt?t:H:y):n(m)}function I(m){return K(m)?(e.consume(m),o=String.fromCharCode(m),M):n(m)}function M(m){if(m===null||m===47||m===62||q(m)){let oe=m===47,tt=o.toLowerCase();return!oe&&!s&&br.includes(tt)?(i=1,r.interrupt?t(m):H(m)):os.includes(o.toLowerCase())?(i=6,oe?(e.consume(m),v):r.interrupt?t(m):H(m)):(i=7,r.interrupt&&!r.parser.lazy[r.now().line]?n(m):s?U(m):_(m))}return m===45||G(m)?(e.consume(m),o+=String.fromCharCode(m),M):n(m)}function v(m){return m===62?(e.consume(m),r.interrupt?t:H):n(m)}function U(m){return E(m)?(e.consume(m),U):g(m)}function _(m){return m===47?(e.consume(m),g):m===58||m===95||K(m)?(e.consume(m),F):E(m)?(e.consume(m),_):g(m)}function F(m){return m===45||m===46||m===58||m===95||G(m)?(e.consume(m),F):B(m)}function B(m){return m===61?(e.consume(m),x):E(m)?(e.consume(m),B):_(m)}function x(m){return m===null||m===60||m===61||m===62||m===96?n(m):m===34||m===39?(e.consume(m),l=m,O):E(m)?(e.consume(m),x):N(m)}function O(m){return m===l?(e.consume(m),l=null,Q):m===null||$(m)?n(m):(e.consume(m),O)}function N(m){return m===null||m===34||m===39||m===47||m===60||m===61||m===62||m===96||q(m)?B(m):(e.consume(m),N)}function Q(m){return m===47||m===62||E(m)?_(m):n(m)}function g(m){return m===62?(e.consume(m),D):n(m)}function D(m){return m===null||$(m)?H(m):E(m)?(e.consume(m),D):n(m)}function H(m){return m===45&&i===2?(e.consume(m),Y):m===60&&i===1?(e.consume(m),J):m===62&&i===4?(e.consume(m),de):m===63&&i===3?(e.consume(m),p):m===93&&i===5?(e.consume(m),fe):$(m)&&(i===6||i===7)?(e.exit("htmlFlowData"),e.check(Ba,ye,T)(m)):m===null||$(m)?(e.exit("htmlFlowData"),T(m)):(e.consume(m),H)}function T(m){return e.check(Rt,P,ye)(m)}function P(m){return e.enter("lineEnding"),e.consume(m),e.exit("lineEnding"),R}function R(m){return m===null||$(m)?T(m):(e.enter("htmlFlowData"),H(m))}function Y(m){return m===45?(e.consume(m),p):H(m)}function J(m){return m===47?(e.consume(m),o="",he):H(m)}function he(m){if(m===62){let oe=o.toLowerCase();return br.includes(oe)?(e.consume(m),de):H(m)}return K(m)&&o.length<8?(e.consume(m),o+=String.fromCharCode(m),he):H(m)}function fe(m){return m===93?(e.consume(m),p):H(m)}function p(m){return m===62?(e.consume(m),de):m===45&&i===2?(e.consume(m),p):H(m)}function de(m){return m===null||$(m)?(e.exit("htmlFlowData"),ye(m)):(e.consume(m),de)}function ye(m){return e.exit("htmlFlow"),t(m)}}function ja(e,t,n){return r;function r(i){return e.enter("lineEnding"),e.consume(i),e.exit("lineEnding"),e.attempt(Be,t,n)}}var xr={name:"htmlText",tokenize:Ua};function Ua(e,t,n){let r=this,i,s,o;return a;function a(p){return e.enter("htmlText"),e.enter("htmlTextData"),e.consume(p),l}function l(p){return p===33?(e.consume(p),c):p===47?(e.consume(p),B):p===63?(e.consume(p),_):K(p)?(e.consume(p),N):n(p)}function c(p){return p===45?(e.consume(p),u):p===91?(e.consume(p),s=0,y):K(p)?(e.consume(p),U):n(p)}function u(p){return p===45?(e.consume(p),h):n(p)}function d(p){return p===null?n(p):p===45?(e.consume(p),f):$(p)?(o=d,J(p)):(e.consume(p),d)}function f(p){return p===45?(e.consume(p),h):d(p)}function h(p){return p===62?Y(p):p===45?f(p):d(p)}function y(p){let de="CDATA[";return p===de.charCodeAt(s++)?(e.consume(p),s===de.length?I:y):n(p)}function I(p){return p===null?n(p):p===93?(e.consume(p),M):$(p)?(o=I,J(p)):(e.consume(p),I)}function M(p){return p===93?(e.consume(p),v):I(p)}function v(p){return p===62?Y(p):p===93?(e.consume(p),v):I(p)}function U(p){return p===null||p===62?Y(p):$(p)?(o=U,J(p)):(e.consume(p),U)}function _(p){return p===null?n(p):p===63?(e.consume(p),F):$(p)?(o=_,J(p)):(e.consume(p),_)}function F(p){return p===62?Y(p):_(p)}function B(p){return K(p)?(e.consume(p),x):n(p)}function x(p){return p===45||G(p)?(e.consume(p),x):O(p)}function O(p){return $(p)?(o=O,J(p)):E(p)?(e.consume(p),O):Y(p)}function N(p){return p===45||G(p)?(e.consume(p),N):p===47||p===62||q(p)?Q(p):n(p)}function Q(p){return p===47?(e.consume(p),Y):p===58||p===95||K(p)?(e.consume(p),g):$(p)?(o=Q,J(p)):E(p)?(e.consume(p),Q):Y(p)}function g(p){return p===45||p===46||p===58||p===95||G(p)?(e.consume(p),g):D(p)}function D(p){return p===61?(e.consume(p),H):$(p)?(o=D,J(p)):E(p)?(e.consume(p),D):Q(p)}function H(p){return p===null||p===60||p===61||p===62||p===96?n(p):p===34||p===39?(e.consume(p),i=p,T):$(p)?(o=H,J(p)):E(p)?(e.consume(p),H):(e.consume(p),P)}function T(p){return p===i?(e.consume(p),i=void 0,R):p===null?n(p):$(p)?(o=T,J(p)):(e.consume(p),T)}function P(p){return p===null||p===34||p===39||p===60||p===61||p===96?n(p):p===47||p===62||q(p)?Q(p):(e.consume(p),P)}function R(p){return p===47||p===62||q(p)?Q(p):n(p)}function Y(p){return p===62?(e.consume(p),e.exit("htmlTextData"),e.exit("htmlText"),t):n(p)}function J(p){return e.exit("htmlTextData"),e.enter("lineEnding"),e.consume(p),e.exit("lineEnding"),he}function he(p){return E(p)?C(e,fe,"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(p):fe(p)}function fe(p){return e.enter("htmlTextData"),o(p)}}var Ie={name:"labelEnd",resolveAll:Ya,resolveTo:Ja,tokenize:Ka},Va={tokenize:Ga},Wa={tokenize:Za},Qa={tokenize:Xa};function Ya(e){let t=-1,n=[];for(;++t<e.length;){let r=e[t][1];if(n.push(e[t]),r.type==="labelImage"||r.type==="labelLink"||r.type==="labelEnd"){let i=r.type==="labelImage"?4:2;r.type="data",t+=i}}return e.length!==n.length&&Z(e,0,e.length,n),e}function Ja(e,t){let n=e.length,r=0,i,s,o;for(;n--;){let u=e[n][1];if(i){if(u.type==="link"||u.type==="labelLink"&&u._inactive)break;e[n][0]==="enter"&&u.type==="labelLink"&&(u._inactive=!0)}else if(s){if(e[n][0]==="enter"&&(u.type==="labelImage"||u.type==="labelLink")&&!u._balanced&&(i=n,u.type!=="labelLink")){r=2;break}}else u.type==="labelEnd"&&(s=n)}let a={type:e[i][1].type==="labelLink"?"link":"image",start:{...e[i][1].start},end:{...e[e.length-1][1].end}},l={type:"label",start:{...e[i][1].start},end:{...e[s][1].end}},c={type:"labelText",start:{...e[i+r+2][1].end},end:{...e[s-2][1].start}};return o=[["enter",a,t],["enter",l,t]],o=re(o,e.slice(i+1,i+r+3)),o=re(o,[["enter",c,t]]),o=re(o,Fe(t.parser.constructs.insideSpan.null,e.slice(i+r+4,s-3),t)),o=re(o,[["exit",c,t],e[s-2],e[s-1],["exit",l,t]]),o=re(o,e.slice(s+1)),o=re(o,[["exit",a,t]]),Z(e,i,e.length,o),e}function Ka(e,t,n){let r=this,i=r._labelStarts,s,o;if(i){for(;i.length>0&&i[i.length-1]._balanced;)i.pop();s=i[i.length-1]}return a;function a(f){return s?s._inactive?d(f):(o=r.parser.defined.includes(Ee(r.sliceSerialize({start:s.end,end:r.now()}))),e.enter("labelEnd"),e.enter("labelMarker"),e.consume(f),e.exit("labelMarker"),e.exit("labelEnd"),l):n(f)}function l(f){return f===40?e.attempt(Va,u,o?u:d)(f):f===91?e.attempt(Wa,u,o?c:d)(f):o?u(f):d(f)}function c(f){return e.attempt(Qa,u,d)(f)}function u(f){return i.pop(),t(f)}function d(f){return s._balanced=!0,n(f)}}function Ga(e,t,n){return r;function r(d){return e.enter("resource"),e.enter("resourceMarker"),e.consume(d),e.exit("resourceMarker"),i}function i(d){return q(d)?Je(e,s)(d):s(d)}function s(d){return d===41?u(d):yn(e,o,a,"resourceDestination","resourceDestinationLiteral","resourceDestinationLiteralMarker","resourceDestinationRaw","resourceDestinationString",32)(d)}function o(d){return q(d)?Je(e,l)(d):u(d)}function a(d){return n(d)}function l(d){return d===34||d===39||d===40?vn(e,c,n,"resourceTitle","resourceTitleMarker","resourceTitleString")(d):u(d)}function c(d){return q(d)?Je(e,u)(d):u(d)}function u(d){return d===41?(e.enter("resourceMarker"),e.consume(d),e.exit("resourceMarker"),e.exit("resource"),t):n(d)}}function Za(e,t,n){let r=this;return i;function i(a){return wn.call(r,e,s,o,"reference","referenceMarker","referenceString")(a)}function s(a){return r.parser.defined.includes(Ee(r.sliceSerialize(r.events[r.events.length-1][1]).slice(1,-1)))?t(a):n(a)}function o(a){return n(a)}}function Xa(e,t,n){return r;function r(s){return e.enter("reference"),e.enter("referenceMarker"),e.consume(s),e.exit("referenceMarker"),i}function i(s){return s===93?(e.enter("referenceMarker"),e.consume(s),e.exit("referenceMarker"),e.exit("reference"),t):n(s)}}var yr={name:"labelStartImage",resolveAll:Ie.resolveAll,tokenize:el};function el(e,t,n){let r=this,i;return s;function s(l){return e.enter("labelImage"),e.enter("labelImageMarker"),e.consume(l),e.exit("labelImageMarker"),o}function o(l){return l===91?(e.enter("labelMarker"),e.consume(l),e.exit("labelMarker"),i=e.exit("labelImage"),a):n(l)}function a(l){return l===94&&"_hiddenFootnoteSupport"in r.parser.constructs?n(l):(r._labelStarts=r._labelStarts||[],r._labelStarts.push(i),t(l))}}var qt={name:"labelStartLink",resolveAll:Ie.resolveAll,tokenize:tl};function tl(e,t,n){let r=this,i;return s;function s(a){return e.enter("labelLink"),e.enter("labelMarker"),e.consume(a),e.exit("labelMarker"),i=e.exit("labelLink"),o}function o(a){return a===94&&"_hiddenFootnoteSupport"in r.parser.constructs?n(a):(r._labelStarts=r._labelStarts||[],r._labelStarts.push(i),t(a))}}var Ft={name:"lineEnding",tokenize:nl};function nl(e,t){return n;function n(r){return e.enter("lineEnding"),e.consume(r),e.exit("lineEnding"),C(e,t,"linePrefix")}}var Ke={name:"thematicBreak",tokenize:rl};function rl(e,t,n){let r=0,i;return s;function s(c){return e.enter("thematicBreak"),o(c)}function o(c){return i=c,a(c)}function a(c){return c===i?(e.enter("thematicBreakSequence"),l(c)):r>=3&&(c===null||$(c))?(e.exit("thematicBreak"),t(c)):n(c)}function l(c){return c===i?(e.consume(c),r++,l):(e.exit("thematicBreakSequence"),E(c)?C(e,a,"whitespace")(c):a(c))}}var X={continuation:{tokenize:al},exit:ul,name:"list",tokenize:ol},il={partial:!0,tokenize:cl},sl={partial:!0,tokenize:ll};function ol(e,t,n){let r=this,i=r.events[r.events.length-1],s=i&&i[1].type==="linePrefix"?i[2].sliceSerialize(i[1],!0).length:0,o=0;return a;function a(h){let y=r.containerState.type||(h===42||h===43||h===45?"listUnordered":"listOrdered");if(y==="listUnordered"?!r.containerState.marker||h===r.containerState.marker:It(h)){if(r.containerState.type||(r.containerState.type=y,e.enter(y,{_container:!0})),y==="listUnordered")return e.enter("listItemPrefix"),h===42||h===45?e.check(Ke,n,c)(h):c(h);if(!r.interrupt||h===49)return e.enter("listItemPrefix"),e.enter("listItemValue"),l(h)}return n(h)}function l(h){return It(h)&&++o<10?(e.consume(h),l):(!r.interrupt||o<2)&&(r.containerState.marker?h===r.containerState.marker:h===41||h===46)?(e.exit("listItemValue"),c(h)):n(h)}function c(h){return e.enter("listItemMarker"),e.consume(h),e.exit("listItemMarker"),r.containerState.marker=r.containerState.marker||h,e.check(Be,r.interrupt?n:u,e.attempt(il,f,d))}function u(h){return r.containerState.initialBlankLine=!0,s++,f(h)}function d(h){return E(h)?(e.enter("listItemPrefixWhitespace"),e.consume(h),e.exit("listItemPrefixWhitespace"),f):n(h)}function f(h){return r.containerState.size=s+r.sliceSerialize(e.exit("listItemPrefix"),!0).length,t(h)}}function al(e,t,n){let r=this;return r.containerState._closeFlow=void 0,e.check(Be,i,s);function i(a){return r.containerState.furtherBlankLines=r.containerState.furtherBlankLines||r.containerState.initialBlankLine,C(e,t,"listItemIndent",r.containerState.size+1)(a)}function s(a){return r.containerState.furtherBlankLines||!E(a)?(r.containerState.furtherBlankLines=void 0,r.containerState.initialBlankLine=void 0,o(a)):(r.containerState.furtherBlankLines=void 0,r.containerState.initialBlankLine=void 0,e.attempt(sl,t,o)(a))}function o(a){return r.containerState._closeFlow=!0,r.interrupt=void 0,C(e,e.attempt(X,t,n),"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(a)}}function ll(e,t,n){let r=this;return C(e,i,"listItemIndent",r.containerState.size+1);function i(s){let o=r.events[r.events.length-1];return o&&o[1].type==="listItemIndent"&&o[2].sliceSerialize(o[1],!0).length===r.containerState.size?t(s):n(s)}}function ul(e){e.exit(this.containerState.type)}function cl(e,t,n){let r=this;return C(e,i,"listItemPrefixWhitespace",r.parser.constructs.disable.null.includes("codeIndented")?void 0:5);function i(s){let o=r.events[r.events.length-1];return!E(s)&&o&&o[1].type==="listItemPrefixWhitespace"?t(s):n(s)}}var $n={name:"setextUnderline",resolveTo:dl,tokenize:hl};function dl(e,t){let n=new Ce,r=e.length,i,s,o;for(;r--;)if(e[r][0]==="enter"){if(e[r][1].type==="content"){i=r;break}e[r][1].type==="paragraph"&&(s=r)}else e[r][1].type==="content"&&n.add(r,1,[]),!o&&e[r][1].type==="definition"&&(o=r);let a={type:"setextHeading",start:{...e[i][1].start},end:{...e[e.length-1][1].end}};return e[s][1].type="setextHeadingText",o?(n.add(s,0,[["enter",a,t]]),n.add(o+1,0,[["exit",e[i][1],t]]),e[i][1].end={...e[o][1].end}):e[i][1]=a,n.add(e.length,0,[["exit",a,t]]),n.consume(e),e}function hl(e,t,n){let r=this,i;return s;function s(c){let u=r.events.length,d;for(;u--;)if(r.events[u][1].type!=="lineEnding"&&r.events[u][1].type!=="linePrefix"&&r.events[u][1].type!=="content"){d=r.events[u][1].type==="paragraph";break}return!r.parser.lazy[r.now().line]&&(r.interrupt||d)?(e.enter("setextHeadingLine"),i=c,o(c)):n(c)}function o(c){return e.enter("setextHeadingLineSequence"),a(c)}function a(c){return c===i?(e.consume(c),a):(e.exit("setextHeadingLineSequence"),E(c)?C(e,l,"lineSuffix")(c):l(c))}function l(c){return c===null||$(c)?(e.exit("setextHeadingLine"),t(c)):n(c)}}var as={tokenize:pl};function pl(e){let t=this,n=e.attempt(Be,r,e.attempt(this.parser.constructs.flowInitial,i,C(e,e.attempt(this.parser.constructs.flow,i,e.attempt(pr,i)),"linePrefix")));return n;function r(s){if(s===null){e.consume(s);return}return e.enter("lineEndingBlank"),e.consume(s),e.exit("lineEndingBlank"),t.currentConstruct=void 0,n}function i(s){if(s===null){e.consume(s);return}return e.enter("lineEnding"),e.consume(s),e.exit("lineEnding"),t.currentConstruct=void 0,n}}var ls={resolveAll:hs()},us=ds("string"),cs=ds("text");function ds(e){return{resolveAll:hs(e==="text"?ml:void 0),tokenize:t};function t(n){let r=this,i=this.parser.constructs[e],s=n.attempt(i,o,a);return o;function o(u){return c(u)?s(u):a(u)}function a(u){if(u===null){n.consume(u);return}return n.enter("data"),n.consume(u),l}function l(u){return c(u)?(n.exit("data"),s(u)):(n.consume(u),l)}function c(u){if(u===null)return!0;let d=i[u],f=-1;if(d)for(;++f<d.length;){let h=d[f];if(!h.previous||h.previous.call(r,r.previous))return!0}return!1}}}function hs(e){return t;function t(n,r){let i=-1,s;for(;++i<=n.length;)s===void 0?n[i]&&n[i][1].type==="data"&&(s=i,i++):(!n[i]||n[i][1].type!=="data")&&(i!==s+2&&(n[s][1].end=n[i-1][1].end,n.splice(s+2,i-s-2),i=s+2),s=void 0);return e?e(n,r):n}}function ml(e,t){let n=new Ce,r=0;for(;++r<=e.length;)if((r===e.length||e[r][1].type==="lineEnding")&&e[r-1][1].type==="data"){let i=e[r-1][1],s=t.sliceStream(i),o=s.length,a=-1,l=0,c;for(;o--;){let u=s[o];if(typeof u=="string"){for(a=u.length;u.charCodeAt(a-1)===32;)l++,a--;if(a)break;a=-1}else if(u===-2)c=!0,l++;else if(u!==-1){o++;break}}if(t._contentTypeTextTrailing&&r===e.length&&(l=0),l){let u={type:r===e.length||c||l<2?"lineSuffix":"hardBreakTrailing",start:{_bufferIndex:o?a:i.start._bufferIndex+a,_index:i.start._index+o,line:i.end.line,column:i.end.column-l,offset:i.end.offset-l},end:{...i.end}};i.end={...u.start},i.start.offset===i.end.offset?Object.assign(i,u):n.add(r,0,[["enter",u,t],["exit",u,t]])}r++}return n.consume(e),e}var wr={};Eo(wr,{attentionMarkers:()=>vl,contentInitial:()=>gl,disable:()=>$l,document:()=>fl,flow:()=>kl,flowInitial:()=>bl,insideSpan:()=>wl,string:()=>xl,text:()=>yl});var fl={42:X,43:X,45:X,48:X,49:X,50:X,51:X,52:X,53:X,54:X,55:X,56:X,57:X,62:dt},gl={91:mr},bl={[-2]:Pt,[-1]:Pt,32:Pt},kl={35:gr,42:Ke,45:[$n,Ke],60:kr,61:$n,95:Ke,96:bn,126:bn},xl={38:gn,92:fn},yl={[-5]:Ft,[-4]:Ft,[-3]:Ft,33:yr,38:gn,42:De,60:[Lt,xr],91:qt,92:[fr,fn],93:Ie,95:De,96:Mt},wl={null:[De,ls]},vl={null:[42,95]},$l={null:[]};function ps(e,t,n){let r={_bufferIndex:-1,_index:0,line:n&&n.line||1,column:n&&n.column||1,offset:n&&n.offset||0},i={},s=[],o=[],a=[],l=!0,c={attempt:Q(O),check:Q(N),consume:F,enter:B,exit:x,interrupt:Q(N,{interrupt:!0})},u={code:null,containerState:{},defineSkip:v,events:[],now:M,parser:e,previous:null,sliceSerialize:y,sliceStream:I,write:h},d=t.tokenize.call(u,c),f;return t.resolveAll&&s.push(t),u;function h(T){return o=re(o,T),U(),o[o.length-1]!==null?[]:(g(t,0),u.events=Fe(s,u.events,u),u.events)}function y(T,P){return _l(I(T),P)}function I(T){return Sl(o,T)}function M(){let{_bufferIndex:T,_index:P,line:R,column:Y,offset:J}=r;return{_bufferIndex:T,_index:P,line:R,column:Y,offset:J}}function v(T){i[T.line]=T.column,H()}function U(){for(;r._index<o.length;){let T=o[r._index];if(typeof T=="string"){let P=r._index;for(r._bufferIndex<0&&(r._bufferIndex=0);r._index===P&&r._bufferIndex<T.length;)_(T.charCodeAt(r._bufferIndex))}else _(T)}}function _(T){l=void 0,f=T,d=d(T)}function F(T){$(T)?(r.line++,r.column=1,r.offset+=T===-3?2:1,H()):T!==-1&&(r.column++,r.offset++),r._bufferIndex<0?r._index++:(r._bufferIndex++,r._bufferIndex===o[r._index].length&&(r._bufferIndex=-1,r._index++)),u.previous=T,l=!0}function B(T,P){let R=P||{};return R.type=T,R.start=M(),u.events.push(["enter",R,u]),a.push(R),R}function x(T){let P=a.pop();return P.end=M(),u.events.push(["exit",P,u]),P}function O(T,P){g(T,P.from)}function N(T,P){P.restore()}function Q(T,P){return R;function R(Y,J,he){let fe,p,de,ye;return Array.isArray(Y)?oe(Y):"tokenize"in Y?oe([Y]):m(Y);function m(ee){return ft;function ft(we){let nt=we!==null&&ee[we],He=we!==null&&ee.null,Hn=[...Array.isArray(nt)?nt:nt?[nt]:[],...Array.isArray(He)?He:He?[He]:[]];return oe(Hn)(we)}}function oe(ee){return fe=ee,p=0,ee.length===0?he:tt(ee[p])}function tt(ee){return ft;function ft(we){return ye=D(),de=ee,ee.partial||(u.currentConstruct=ee),ee.name&&u.parser.constructs.disable.null.includes(ee.name)?Ht(we):ee.tokenize.call(P?Object.assign(Object.create(u),P):u,c,Nt,Ht)(we)}}function Nt(ee){return l=!0,T(de,ye),J}function Ht(ee){return l=!0,ye.restore(),++p<fe.length?tt(fe[p]):he}}}function g(T,P){T.resolveAll&&!s.includes(T)&&s.push(T),T.resolve&&Z(u.events,P,u.events.length-P,T.resolve(u.events.slice(P),u)),T.resolveTo&&(u.events=T.resolveTo(u.events,u))}function D(){let T=M(),P=u.previous,R=u.currentConstruct,Y=u.events.length,J=Array.from(a);return{from:Y,restore:he};function he(){r=T,u.previous=P,u.currentConstruct=R,u.events.length=Y,a=J,H()}}function H(){r.line in i&&r.column<2&&(r.column=i[r.line],r.offset+=i[r.line]-1)}}function Sl(e,t){let n=t.start._index,r=t.start._bufferIndex,i=t.end._index,s=t.end._bufferIndex,o;if(n===i)o=[e[n].slice(r,s)];else{if(o=e.slice(n,i),r>-1){let a=o[0];typeof a=="string"?o[0]=a.slice(r):o.shift()}s>0&&o.push(e[i].slice(0,s))}return o}function _l(e,t){let n=-1,r=[],i;for(;++n<e.length;){let s=e[n],o;if(typeof s=="string")o=s;else switch(s){case-5:{o="\r";break}case-4:{o=`
`;break}case-3:{o=`\r
`;break}case-2:{o=t?" ":"	";break}case-1:{if(!t&&i)continue;o=" ";break}default:o=String.fromCharCode(s)}i=s===-2,r.push(o)}return r.join("")}function vr(e){let r={constructs:Gi([wr,...(e||{}).extensions||[]]),content:i(ts),defined:[],document:i(is),flow:i(as),lazy:{},string:i(us),text:i(cs)};return r;function i(s){return o;function o(a){return ps(r,s,a)}}}function $r(e){for(;!xn(e););return e}var ms=/[\0\t\n\r]/g;function Sr(){let e=1,t="",n=!0,r;return i;function i(s,o,a){s=t+(typeof s=="string"?s.toString():new TextDecoder(o||void 0).decode(s));let l=[],c=0;for(t="",n&&(s.charCodeAt(0)===65279&&c++,n=void 0);c<s.length;){ms.lastIndex=c;let u=ms.exec(s),d=u&&u.index!==void 0?u.index:s.length,f=s.charCodeAt(d);if(!u){t=s.slice(c);break}if(f===10&&c===d&&r)l.push(-3),r=void 0;else switch(r&&(l.push(-5),r=void 0),c<d&&(l.push(s.slice(c,d)),e+=d-c),f){case 0:{l.push(65533),e++;break}case 9:{let h=Math.ceil(e/4)*4;for(l.push(-2);e++<h;)l.push(-1);break}case 10:{l.push(-4),e=1;break}default:r=!0,e=1}c=d+1}return a&&(r&&l.push(-5),t&&l.push(t),l.push(null)),l}}var Tl=/\\([!-/:-@[-`{-~])|&(#(?:\d{1,7}|x[\da-f]{1,6})|[\da-z]{1,31});/gi;function fs(e){return e.replace(Tl,Al)}function Al(e,t,n){if(t)return t;if(n.charCodeAt(0)===35){let i=n.charCodeAt(1),s=i===120||i===88;return mn(n.slice(s?2:1),s?16:10)}return ut(n)||e}function ht(e){return!e||typeof e!="object"?"":"position"in e||"type"in e?gs(e.position):"start"in e||"end"in e?gs(e):"line"in e||"column"in e?_r(e):""}function _r(e){return bs(e&&e.line)+":"+bs(e&&e.column)}function gs(e){return _r(e&&e.start)+"-"+_r(e&&e.end)}function bs(e){return e&&typeof e=="number"?e:1}var xs={}.hasOwnProperty;function Tr(e,t,n){return t&&typeof t=="object"&&(n=t,t=void 0),El(n)($r(vr(n).document().write(Sr()(e,t,!0))))}function El(e){let t={afterExit:[],beforeEnter:[],transforms:[],canContainEols:["emphasis","fragment","heading","paragraph","strong"],enter:{autolink:o(ei),autolinkProtocol:g,autolinkEmail:g,atxHeading:o(Gr),blockQuote:o(nt),characterEscape:g,characterReference:g,codeFenced:o(He),codeFencedFenceInfo:a,codeFencedFenceMeta:a,codeIndented:o(He,a),codeText:o(Hn,a),codeTextData:g,data:g,codeFlowValue:g,definition:o(xo),definitionDestinationString:a,definitionLabelString:a,definitionTitleString:a,emphasis:o(yo),hardBreakEscape:o(Zr),hardBreakTrailing:o(Zr),htmlFlow:o(Xr,a),htmlFlowData:g,htmlText:o(Xr,a),htmlTextData:g,image:o(wo),label:a,link:o(ei),listItem:o(vo),listItemValue:h,listOrdered:o(ti,f),listUnordered:o(ti),paragraph:o($o),reference:oe,referenceString:a,resourceDestinationString:a,resourceTitleString:a,setextHeading:o(Gr),strong:o(So),thematicBreak:o(To)},exit:{atxHeading:c(),atxHeadingSequence:x,autolink:c(),autolinkEmail:we,autolinkProtocol:ft,blockQuote:c(),characterEscapeValue:D,characterReferenceMarkerHexadecimal:Nt,characterReferenceMarkerNumeric:Nt,characterReferenceValue:Ht,characterReference:ee,codeFenced:c(v),codeFencedFence:M,codeFencedFenceInfo:y,codeFencedFenceMeta:I,codeFlowValue:D,codeIndented:c(U),codeText:c(Y),codeTextData:D,data:D,definition:c(),definitionDestinationString:B,definitionLabelString:_,definitionTitleString:F,emphasis:c(),hardBreakEscape:c(T),hardBreakTrailing:c(T),htmlFlow:c(P),htmlFlowData:D,htmlText:c(R),htmlTextData:D,image:c(he),label:p,labelText:fe,lineEnding:H,link:c(J),listItem:c(),listOrdered:c(),listUnordered:c(),paragraph:c(),referenceString:tt,resourceDestinationString:de,resourceTitleString:ye,resource:m,setextHeading:c(Q),setextHeadingLineSequence:N,setextHeadingText:O,strong:c(),thematicBreak:c()}};ys(t,(e||{}).mdastExtensions||[]);let n={};return r;function r(b){let w={type:"root",children:[],position:void 0},z={stack:[w],tokenStack:[],config:t,enter:l,exit:u,buffer:a,resume:d,data:n},L=[],ie=[],V=-1;for(;++V<b.length;)if(ie.push(b[V]),b[V][1].type==="listOrdered"||b[V][1].type==="listUnordered")if(b[V][0]==="enter")L.push(ie.length-1);else{let se=L.pop();s(ie,se)}for(b=ie,V=-1;++V<b.length;){let se=t[b[V][0]];b[V][0]==="enter"&&t.beforeEnter.length>0&&i(t.beforeEnter,{...z,sliceSerialize:b[V][2].sliceSerialize},b[V][1]),xs.call(se,b[V][1].type)&&se[b[V][1].type].call({...z,sliceSerialize:b[V][2].sliceSerialize},b[V][1]),b[V][0]==="exit"&&t.afterExit.length>0&&i(t.afterExit,{...z,sliceSerialize:b[V][2].sliceSerialize},b[V][1])}if(z.tokenStack.length>0){let se=z.tokenStack[z.tokenStack.length-1];(se[1]||ks).call(z,void 0,se[0])}for(w.position={start:Ne(b.length>0?b[0][1].start:{line:1,column:1,offset:0}),end:Ne(b.length>0?b[b.length-2][1].end:{line:1,column:1,offset:0})},V=-1;++V<t.transforms.length;)w=t.transforms[V](w)||w;return w}function i(b,w,z){let L=-1;for(;++L<b.length;)b[L].call(w,z)}function s(b,w){let z=b.length-1,L=w-1,ie=-1,V=!1,se,ge,gt,bt,kt=[];for(;++L<=z;){let ae=b[L];switch(ae[1].type){case"listUnordered":case"listOrdered":case"blockQuote":{ae[0]==="enter"?ie++:ie--,bt=void 0;break}case"lineEndingBlank":{ae[0]==="enter"&&(se&&!bt&&!ie&&!gt&&(gt=L),bt=void 0);break}case"linePrefix":case"listItemValue":case"listItemMarker":case"listItemPrefix":case"listItemPrefixWhitespace":break;default:bt=void 0}if(!ie&&ae[0]==="enter"&&ae[1].type==="listItemPrefix"||ie===-1&&ae[0]==="exit"&&(ae[1].type==="listUnordered"||ae[1].type==="listOrdered")){if(se){let rt=L;for(ge=void 0;rt--;){let ve=b[rt];if(ve[1].type==="lineEnding"||ve[1].type==="lineEndingBlank"){if(ve[0]==="exit")continue;ge&&(b[ge][1].type="lineEndingBlank",V=!0),ve[1].type="lineEnding",ge=rt}else if(!(ve[1].type==="linePrefix"||ve[1].type==="blockQuotePrefix"||ve[1].type==="blockQuotePrefixWhitespace"||ve[1].type==="blockQuoteMarker"||ve[1].type==="listItemIndent"))break}gt&&(!ge||gt<ge)&&(se._spread=!0),se.end=Object.assign({},ge?b[ge][1].start:ae[1].end),kt.push({at:ge||L,event:["exit",se,ae[2]]})}if(ae[1].type==="listItemPrefix"){let rt={type:"listItem",_spread:!1,start:Object.assign({},ae[1].start),end:void 0};se=rt,kt.push({at:L,event:["enter",rt,ae[2]]}),gt=void 0,bt=!0}}}let ni=b.splice(w),jn=0;for(L=-1;++L<ni.length;){for(;jn<kt.length&&kt[jn].at===w+L;)b.push(kt[jn++].event);b.push(ni[L])}b[w][1]._spread=V}function o(b,w){return z;function z(L){l.call(this,b(L),L),w&&w.call(this,L)}}function a(){this.stack.push({type:"fragment",children:[]})}function l(b,w,z){this.stack[this.stack.length-1].children.push(b),this.stack.push(b),this.tokenStack.push([w,z||void 0]),b.position={start:Ne(w.start),end:void 0}}function c(b){return w;function w(z){b&&b.call(this,z),u.call(this,z)}}function u(b,w){let z=this.stack.pop(),L=this.tokenStack.pop();if(!L)throw new Error("Cannot close `"+b.type+"` ("+ht({start:b.start,end:b.end})+"): it’s not open");L[0].type!==b.type&&(w?w.call(this,b,L[0]):(L[1]||ks).call(this,b,L[0])),z.position.end=Ne(b.end)}function d(){return dr(this.stack.pop())}function f(){this.data.expectingFirstListItemValue=!0}function h(b){if(this.data.expectingFirstListItemValue){let w=this.stack[this.stack.length-2];w.start=Number.parseInt(this.sliceSerialize(b),10),this.data.expectingFirstListItemValue=void 0}}function y(){let b=this.resume(),w=this.stack[this.stack.length-1];w.lang=b}function I(){let b=this.resume(),w=this.stack[this.stack.length-1];w.meta=b}function M(){this.data.flowCodeInside||(this.buffer(),this.data.flowCodeInside=!0)}function v(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b.replace(/^(\r?\n|\r)|(\r?\n|\r)$/g,""),this.data.flowCodeInside=void 0}function U(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b.replace(/(\r?\n|\r)$/g,"")}function _(b){let w=this.resume(),z=this.stack[this.stack.length-1];z.label=w,z.identifier=Ee(this.sliceSerialize(b)).toLowerCase()}function F(){let b=this.resume(),w=this.stack[this.stack.length-1];w.title=b}function B(){let b=this.resume(),w=this.stack[this.stack.length-1];w.url=b}function x(b){let w=this.stack[this.stack.length-1];if(!w.depth){let z=this.sliceSerialize(b).length;w.depth=z}}function O(){this.data.setextHeadingSlurpLineEnding=!0}function N(b){let w=this.stack[this.stack.length-1];w.depth=this.sliceSerialize(b).codePointAt(0)===61?1:2}function Q(){this.data.setextHeadingSlurpLineEnding=void 0}function g(b){let z=this.stack[this.stack.length-1].children,L=z[z.length-1];(!L||L.type!=="text")&&(L=_o(),L.position={start:Ne(b.start),end:void 0},z.push(L)),this.stack.push(L)}function D(b){let w=this.stack.pop();w.value+=this.sliceSerialize(b),w.position.end=Ne(b.end)}function H(b){let w=this.stack[this.stack.length-1];if(this.data.atHardBreak){let z=w.children[w.children.length-1];z.position.end=Ne(b.end),this.data.atHardBreak=void 0;return}!this.data.setextHeadingSlurpLineEnding&&t.canContainEols.includes(w.type)&&(g.call(this,b),D.call(this,b))}function T(){this.data.atHardBreak=!0}function P(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b}function R(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b}function Y(){let b=this.resume(),w=this.stack[this.stack.length-1];w.value=b}function J(){let b=this.stack[this.stack.length-1];if(this.data.inReference){let w=this.data.referenceType||"shortcut";b.type+="Reference",b.referenceType=w,delete b.url,delete b.title}else delete b.identifier,delete b.label;this.data.referenceType=void 0}function he(){let b=this.stack[this.stack.length-1];if(this.data.inReference){let w=this.data.referenceType||"shortcut";b.type+="Reference",b.referenceType=w,delete b.url,delete b.title}else delete b.identifier,delete b.label;this.data.referenceType=void 0}function fe(b){let w=this.sliceSerialize(b),z=this.stack[this.stack.length-2];z.label=fs(w),z.identifier=Ee(w).toLowerCase()}function p(){let b=this.stack[this.stack.length-1],w=this.resume(),z=this.stack[this.stack.length-1];if(this.data.inReference=!0,z.type==="link"){let L=b.children;z.children=L}else z.alt=w}function de(){let b=this.resume(),w=this.stack[this.stack.length-1];w.url=b}function ye(){let b=this.resume(),w=this.stack[this.stack.length-1];w.title=b}function m(){this.data.inReference=void 0}function oe(){this.data.referenceType="collapsed"}function tt(b){let w=this.resume(),z=this.stack[this.stack.length-1];z.label=w,z.identifier=Ee(this.sliceSerialize(b)).toLowerCase(),this.data.referenceType="full"}function Nt(b){this.data.characterReferenceType=b.type}function Ht(b){let w=this.sliceSerialize(b),z=this.data.characterReferenceType,L;z?(L=mn(w,z==="characterReferenceMarkerNumeric"?10:16),this.data.characterReferenceType=void 0):L=ut(w);let ie=this.stack[this.stack.length-1];ie.value+=L}function ee(b){let w=this.stack.pop();w.position.end=Ne(b.end)}function ft(b){D.call(this,b);let w=this.stack[this.stack.length-1];w.url=this.sliceSerialize(b)}function we(b){D.call(this,b);let w=this.stack[this.stack.length-1];w.url="mailto:"+this.sliceSerialize(b)}function nt(){return{type:"blockquote",children:[],position:void 0}}function He(){return{type:"code",lang:null,meta:null,value:"",position:void 0}}function Hn(){return{type:"inlineCode",value:"",position:void 0}}function xo(){return{type:"definition",identifier:"",label:null,title:null,url:"",position:void 0}}function yo(){return{type:"emphasis",children:[],position:void 0}}function Gr(){return{type:"heading",depth:0,children:[],position:void 0}}function Zr(){return{type:"break",position:void 0}}function Xr(){return{type:"html",value:"",position:void 0}}function wo(){return{type:"image",title:null,url:"",alt:null,position:void 0}}function ei(){return{type:"link",title:null,url:"",children:[],position:void 0}}function ti(b){return{type:"list",ordered:b.type==="listOrdered",start:null,spread:b._spread,children:[],position:void 0}}function vo(b){return{type:"listItem",spread:b._spread,checked:null,children:[],position:void 0}}function $o(){return{type:"paragraph",children:[],position:void 0}}function So(){return{type:"strong",children:[],position:void 0}}function _o(){return{type:"text",value:"",position:void 0}}function To(){return{type:"thematicBreak",position:void 0}}}function Ne(e){return{line:e.line,column:e.column,offset:e.offset}}function ys(e,t){let n=-1;for(;++n<t.length;){let r=t[n];Array.isArray(r)?ys(e,r):Cl(e,r)}}function Cl(e,t){let n;for(n in t)if(xs.call(t,n))switch(n){case"canContainEols":{let r=t[n];r&&e[n].push(...r);break}case"transforms":{let r=t[n];r&&e[n].push(...r);break}case"afterExit":case"beforeEnter":{let r=t[n];r&&e[n].push(r);break}case"enter":case"exit":{let r=t[n];r&&Object.assign(e[n],r);break}}}function ks(e,t){throw e?new Error("Cannot close `"+e.type+"` ("+ht({start:e.start,end:e.end})+"): a different token (`"+t.type+"`, "+ht({start:t.start,end:t.end})+") is open"):new Error("Cannot close document, a token (`"+t.type+"`, "+ht({start:t.start,end:t.end})+") is still open")}ws.attention=Ll;ws.peek=Rl;function Ar(){return{canContainEols:["delete"],enter:{strikethrough:Il},exit:{strikethrough:zl}}}function Il(e){this.enter({type:"delete",children:[],position:void 0},e)}function zl(e){this.exit(e)}function ws(e,t,n,r){let i=n.createTracker(r),s=n.stack.includes("strikethrough")?"~":"~~",o=n.enter("strikethrough"),a=i.move(s);return a+=n.containerPhrasing(e,{...i.current(),before:a,after:"~"}),a+=i.move(s),o(),a}function Ll(){return{construct:"strikethrough",markers:["~"],sizes:[2,1]}}function Rl(){return"~"}function Cr(){return{enter:{table:Pl,tableData:vs,tableHeader:vs,tableRow:Ol},exit:{codeText:ql,table:Ml,tableData:Er,tableHeader:Er,tableRow:Er}}}function Pl(e){let t=e._align;this.enter({type:"table",align:t.map(function(n){return n==="none"?null:n}),children:[],position:void 0},e),this.data.inTable=!0}function Ml(e){this.exit(e),this.data.inTable=void 0}function Ol(e){this.enter({type:"tableRow",children:[],position:void 0},e)}function Er(e){this.exit(e)}function vs(e){this.enter({type:"tableCell",children:[],position:void 0},e)}function ql(e){let t=this.resume();this.data.inTable&&(t=t.replace(/\\([\\|])/g,Fl));let n=this.stack[this.stack.length-1];n.type,n.value=t,this.exit(e)}function Fl(e,t){return t==="|"?t:e}function Ir(){return{exit:{taskListCheckValueChecked:$s,taskListCheckValueUnchecked:$s,paragraph:Dl}}}function $s(e){let t=this.stack[this.stack.length-2];t.type,t.checked=e.type==="taskListCheckValueChecked"}function Dl(e){let t=this.stack[this.stack.length-2];if(t&&t.type==="listItem"&&typeof t.checked=="boolean"){let n=this.stack[this.stack.length-1];n.type;let r=n.children[0];if(r&&r.type==="text"){let i=t.children,s=-1,o;for(;++s<i.length;){let a=i[s];if(a.type==="paragraph"){o=a;break}}o===n&&(r.value=r.value.slice(1),r.value.length===0?n.children.shift():n.position&&r.position&&typeof r.position.start.offset=="number"&&(r.position.start.column++,r.position.start.offset++,n.position.start={...r.position.start}))}}this.exit(e)}var Bl={tokenize:Vl,partial:!0},Ss={tokenize:Wl,partial:!0},_s={tokenize:Ql,partial:!0},Ts={tokenize:Yl,partial:!0},Nl={tokenize:Jl,partial:!0},As={name:"wwwAutolink",tokenize:jl,previous:Cs},Es={name:"protocolAutolink",tokenize:Ul,previous:Is},ze={name:"emailAutolink",tokenize:Hl,previous:zs},xe={};function Lr(){return{text:xe}}var Ge=48;for(;Ge<123;)xe[Ge]=ze,Ge++,Ge===58?Ge=65:Ge===91&&(Ge=97);xe[43]=ze;xe[45]=ze;xe[46]=ze;xe[95]=ze;xe[72]=[ze,Es];xe[104]=[ze,Es];xe[87]=[ze,As];xe[119]=[ze,As];function Hl(e,t,n){let r=this,i,s;return o;function o(d){return!zr(d)||!zs.call(r,r.previous)||Rr(r.events)?n(d):(e.enter("literalAutolink"),e.enter("literalAutolinkEmail"),a(d))}function a(d){return zr(d)?(e.consume(d),a):d===64?(e.consume(d),l):n(d)}function l(d){return d===46?e.check(Nl,u,c)(d):d===45||d===95||G(d)?(s=!0,e.consume(d),l):u(d)}function c(d){return e.consume(d),i=!0,l}function u(d){return s&&i&&K(r.previous)?(e.exit("literalAutolinkEmail"),e.exit("literalAutolink"),t(d)):n(d)}}function jl(e,t,n){let r=this;return i;function i(o){return o!==87&&o!==119||!Cs.call(r,r.previous)||Rr(r.events)?n(o):(e.enter("literalAutolink"),e.enter("literalAutolinkWww"),e.check(Bl,e.attempt(Ss,e.attempt(_s,s),n),n)(o))}function s(o){return e.exit("literalAutolinkWww"),e.exit("literalAutolink"),t(o)}}function Ul(e,t,n){let r=this,i="",s=!1;return o;function o(d){return(d===72||d===104)&&Is.call(r,r.previous)&&!Rr(r.events)?(e.enter("literalAutolink"),e.enter("literalAutolinkHttp"),i+=String.fromCodePoint(d),e.consume(d),a):n(d)}function a(d){if(K(d)&&i.length<5)return i+=String.fromCodePoint(d),e.consume(d),a;if(d===58){let f=i.toLowerCase();if(f==="http"||f==="https")return e.consume(d),l}return n(d)}function l(d){return d===47?(e.consume(d),s?c:(s=!0,l)):n(d)}function c(d){return d===null||Ye(d)||q(d)||Oe(d)||zt(d)?n(d):e.attempt(Ss,e.attempt(_s,u),n)(d)}function u(d){return e.exit("literalAutolinkHttp"),e.exit("literalAutolink"),t(d)}}function Vl(e,t,n){let r=0;return i;function i(o){return(o===87||o===119)&&r<3?(r++,e.consume(o),i):o===46&&r===3?(e.consume(o),s):n(o)}function s(o){return o===null?n(o):t(o)}}function Wl(e,t,n){let r,i,s;return o;function o(c){return c===46||c===95?e.check(Ts,l,a)(c):c===null||q(c)||Oe(c)||c!==45&&zt(c)?l(c):(s=!0,e.consume(c),o)}function a(c){return c===95?r=!0:(i=r,r=void 0),e.consume(c),o}function l(c){return i||r||!s?n(c):t(c)}}function Ql(e,t){let n=0,r=0;return i;function i(o){return o===40?(n++,e.consume(o),i):o===41&&r<n?s(o):o===33||o===34||o===38||o===39||o===41||o===42||o===44||o===46||o===58||o===59||o===60||o===63||o===93||o===95||o===126?e.check(Ts,t,s)(o):o===null||q(o)||Oe(o)?t(o):(e.consume(o),i)}function s(o){return o===41&&r++,e.consume(o),i}}function Yl(e,t,n){return r;function r(a){return a===33||a===34||a===39||a===41||a===42||a===44||a===46||a===58||a===59||a===63||a===95||a===126?(e.consume(a),r):a===38?(e.consume(a),s):a===93?(e.consume(a),i):a===60||a===null||q(a)||Oe(a)?t(a):n(a)}function i(a){return a===null||a===40||a===91||q(a)||Oe(a)?t(a):r(a)}function s(a){return K(a)?o(a):n(a)}function o(a){return a===59?(e.consume(a),r):K(a)?(e.consume(a),o):n(a)}}function Jl(e,t,n){return r;function r(s){return e.consume(s),i}function i(s){return G(s)?n(s):t(s)}}function Cs(e){return e===null||e===40||e===42||e===95||e===91||e===93||e===126||q(e)}function Is(e){return!K(e)}function zs(e){return!(e===47||zr(e))}function zr(e){return e===43||e===45||e===46||e===95||G(e)}function Rr(e){let t=e.length,n=!1;for(;t--;){let r=e[t][1];if((r.type==="labelLink"||r.type==="labelImage")&&!r._balanced){n=!0;break}if(r._gfmAutolinkLiteralWalkedInto){n=!1;break}}return e.length>0&&!n&&(e[e.length-1][1]._gfmAutolinkLiteralWalkedInto=!0),n}function Pr(e){let n=(e||{}).singleTilde,r={name:"strikethrough",tokenize:s,resolveAll:i};return n==null&&(n=!0),{text:{126:r},insideSpan:{null:[r]},attentionMarkers:{null:[126]}};function i(o,a){let l=-1;for(;++l<o.length;)if(o[l][0]==="enter"&&o[l][1].type==="strikethroughSequenceTemporary"&&o[l][1]._close){let c=l;for(;c--;)if(o[c][0]==="exit"&&o[c][1].type==="strikethroughSequenceTemporary"&&o[c][1]._open&&o[l][1].end.offset-o[l][1].start.offset===o[c][1].end.offset-o[c][1].start.offset){o[l][1].type="strikethroughSequence",o[c][1].type="strikethroughSequence";let u={type:"strikethrough",start:Object.assign({},o[c][1].start),end:Object.assign({},o[l][1].end)},d={type:"strikethroughText",start:Object.assign({},o[c][1].end),end:Object.assign({},o[l][1].start)},f=[["enter",u,a],["enter",o[c][1],a],["exit",o[c][1],a],["enter",d,a]],h=a.parser.constructs.insideSpan.null;h&&Z(f,f.length,0,Fe(h,o.slice(c+1,l),a)),Z(f,f.length,0,[["exit",d,a],["enter",o[l][1],a],["exit",o[l][1],a],["exit",u,a]]),Z(o,c-1,l-c+3,f),l=c+f.length-2;break}}for(l=-1;++l<o.length;)o[l][1].type==="strikethroughSequenceTemporary"&&(o[l][1].type="data");return o}function s(o,a,l){let c=this.previous,u=this.events,d=0;return f;function f(y){return c===126&&u[u.length-1][1].type!=="characterEscape"?l(y):(o.enter("strikethroughSequenceTemporary"),h(y))}function h(y){let I=ct(c);if(y===126)return d>1?l(y):(o.consume(y),d++,h);if(d<2&&!n)return l(y);let M=o.exit("strikethroughSequenceTemporary"),v=ct(y);return M._open=!v||v===2&&!!I,M._close=!I||I===2&&!!v,a(y)}}}var Sn=class{constructor(){this.map=[],this.index=new Map}add(t,n,r){Kl(this,t,n,r)}consume(t){if(this.map.sort(function(s,o){return s[0]-o[0]}),this.map.length===0)return;let n=this.map.length,r=[];for(;n>0;)n-=1,r.push(t.slice(this.map[n][0]+this.map[n][1]),this.map[n][2]),t.length=this.map[n][0];r.push(t.slice()),t.length=0;let i=r.pop();for(;i;){for(let s of i)t.push(s);i=r.pop()}this.map.length=0,this.index.clear()}};function Kl(e,t,n,r){if(n===0&&r.length===0)return;let i=e.index.get(t);if(i){i[1]+=n,i[2].push(...r);return}let s=[t,n,r];e.map.push(s),e.index.set(t,s)}function Ls(e,t){let n=!1,r=[];for(;t<e.length;){let i=e[t];if(n){if(i[0]==="enter")i[1].type==="tableContent"&&r.push(e[t+1][1].type==="tableDelimiterMarker"?"left":"none");else if(i[1].type==="tableContent"){if(e[t-1][1].type==="tableDelimiterMarker"){let s=r.length-1;r[s]=r[s]==="left"?"center":"right"}}else if(i[1].type==="tableDelimiterRow")break}else i[0]==="enter"&&i[1].type==="tableDelimiterRow"&&(n=!0);t+=1}return r}function Mr(){return{flow:{null:{name:"table",tokenize:Gl,resolveAll:Zl}}}}function Gl(e,t,n){let r=this,i=0,s=0,o;return a;function a(g){let D=r.events.length-1;for(;D>-1;){let{type:P}=r.events[D][1];if(P==="lineEnding"||P==="linePrefix")D--;else break}let H=D>-1?r.events[D][1].type:null,T=H==="tableHead"||H==="tableRow"?x:l;return T===x&&r.parser.lazy[r.now().line]?n(g):T(g)}function l(g){return e.enter("tableHead"),e.enter("tableRow"),c(g)}function c(g){return g===124||(o=!0,s+=1),u(g)}function u(g){return g===null?n(g):$(g)?s>1?(s=0,r.interrupt=!0,e.exit("tableRow"),e.enter("lineEnding"),e.consume(g),e.exit("lineEnding"),h):n(g):E(g)?C(e,u,"whitespace")(g):(s+=1,o&&(o=!1,i+=1),g===124?(e.enter("tableCellDivider"),e.consume(g),e.exit("tableCellDivider"),o=!0,u):(e.enter("data"),d(g)))}function d(g){return g===null||g===124||q(g)?(e.exit("data"),u(g)):(e.consume(g),g===92?f:d)}function f(g){return g===92||g===124?(e.consume(g),d):d(g)}function h(g){return r.interrupt=!1,r.parser.lazy[r.now().line]?n(g):(e.enter("tableDelimiterRow"),o=!1,E(g)?C(e,y,"linePrefix",r.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(g):y(g))}function y(g){return g===45||g===58?M(g):g===124?(o=!0,e.enter("tableCellDivider"),e.consume(g),e.exit("tableCellDivider"),I):B(g)}function I(g){return E(g)?C(e,M,"whitespace")(g):M(g)}function M(g){return g===58?(s+=1,o=!0,e.enter("tableDelimiterMarker"),e.consume(g),e.exit("tableDelimiterMarker"),v):g===45?(s+=1,v(g)):g===null||$(g)?F(g):B(g)}function v(g){return g===45?(e.enter("tableDelimiterFiller"),U(g)):B(g)}function U(g){return g===45?(e.consume(g),U):g===58?(o=!0,e.exit("tableDelimiterFiller"),e.enter("tableDelimiterMarker"),e.consume(g),e.exit("tableDelimiterMarker"),_):(e.exit("tableDelimiterFiller"),_(g))}function _(g){return E(g)?C(e,F,"whitespace")(g):F(g)}function F(g){return g===124?y(g):g===null||$(g)?!o||i!==s?B(g):(e.exit("tableDelimiterRow"),e.exit("tableHead"),t(g)):B(g)}function B(g){return n(g)}function x(g){return e.enter("tableRow"),O(g)}function O(g){return g===124?(e.enter("tableCellDivider"),e.consume(g),e.exit("tableCellDivider"),O):g===null||$(g)?(e.exit("tableRow"),t(g)):E(g)?C(e,O,"whitespace")(g):(e.enter("data"),N(g))}function N(g){return g===null||g===124||q(g)?(e.exit("data"),O(g)):(e.consume(g),g===92?Q:N)}function Q(g){return g===92||g===124?(e.consume(g),N):N(g)}}function Zl(e,t){let n=-1,r=!0,i=0,s=[0,0,0,0],o=[0,0,0,0],a=!1,l=0,c,u,d,f=new Sn;for(;++n<e.length;){let h=e[n],y=h[1];h[0]==="enter"?y.type==="tableHead"?(a=!1,l!==0&&(Rs(f,t,l,c,u),u=void 0,l=0),c={type:"table",start:Object.assign({},y.start),end:Object.assign({},y.end)},f.add(n,0,[["enter",c,t]])):y.type==="tableRow"||y.type==="tableDelimiterRow"?(r=!0,d=void 0,s=[0,0,0,0],o=[0,n+1,0,0],a&&(a=!1,u={type:"tableBody",start:Object.assign({},y.start),end:Object.assign({},y.end)},f.add(n,0,[["enter",u,t]])),i=y.type==="tableDelimiterRow"?2:u?3:1):i&&(y.type==="data"||y.type==="tableDelimiterMarker"||y.type==="tableDelimiterFiller")?(r=!1,o[2]===0&&(s[1]!==0&&(o[0]=o[1],d=_n(f,t,s,i,void 0,d),s=[0,0,0,0]),o[2]=n)):y.type==="tableCellDivider"&&(r?r=!1:(s[1]!==0&&(o[0]=o[1],d=_n(f,t,s,i,void 0,d)),s=o,o=[s[1],n,0,0])):y.type==="tableHead"?(a=!0,l=n):y.type==="tableRow"||y.type==="tableDelimiterRow"?(l=n,s[1]!==0?(o[0]=o[1],d=_n(f,t,s,i,n,d)):o[1]!==0&&(d=_n(f,t,o,i,n,d)),i=0):i&&(y.type==="data"||y.type==="tableDelimiterMarker"||y.type==="tableDelimiterFiller")&&(o[3]=n)}for(l!==0&&Rs(f,t,l,c,u),f.consume(t.events),n=-1;++n<t.events.length;){let h=t.events[n];h[0]==="enter"&&h[1].type==="table"&&(h[1]._align=Ls(t.events,n))}return e}function _n(e,t,n,r,i,s){let o=r===1?"tableHeader":r===2?"tableDelimiter":"tableData",a="tableContent";n[0]!==0&&(s.end=Object.assign({},pt(t.events,n[0])),e.add(n[0],0,[["exit",s,t]]));let l=pt(t.events,n[1]);if(s={type:o,start:Object.assign({},l),end:Object.assign({},l)},e.add(n[1],0,[["enter",s,t]]),n[2]!==0){let c=pt(t.events,n[2]),u=pt(t.events,n[3]),d={type:a,start:Object.assign({},c),end:Object.assign({},u)};if(e.add(n[2],0,[["enter",d,t]]),r!==2){let f=t.events[n[2]],h=t.events[n[3]];if(f[1].end=Object.assign({},h[1].end),f[1].type="chunkText",f[1].contentType="text",n[3]>n[2]+1){let y=n[2]+1,I=n[3]-n[2]-1;e.add(y,I,[])}}e.add(n[3]+1,0,[["exit",d,t]])}return i!==void 0&&(s.end=Object.assign({},pt(t.events,i)),e.add(i,0,[["exit",s,t]]),s=void 0),s}function Rs(e,t,n,r,i){let s=[],o=pt(t.events,n);i&&(i.end=Object.assign({},o),s.push(["exit",i,t])),r.end=Object.assign({},o),s.push(["exit",r,t]),e.add(n+1,0,s)}function pt(e,t){let n=e[t],r=n[0]==="enter"?"start":"end";return n[1][r]}var Xl={name:"tasklistCheck",tokenize:eu};function Or(){return{text:{91:Xl}}}function eu(e,t,n){let r=this;return i;function i(l){return r.previous!==null||!r._gfmTasklistFirstContentOfListItem?n(l):(e.enter("taskListCheck"),e.enter("taskListCheckMarker"),e.consume(l),e.exit("taskListCheckMarker"),s)}function s(l){return q(l)?(e.enter("taskListCheckValueUnchecked"),e.consume(l),e.exit("taskListCheckValueUnchecked"),o):l===88||l===120?(e.enter("taskListCheckValueChecked"),e.consume(l),e.exit("taskListCheckValueChecked"),o):n(l)}function o(l){return l===93?(e.enter("taskListCheckMarker"),e.consume(l),e.exit("taskListCheckMarker"),e.exit("taskListCheck"),a):n(l)}function a(l){return $(l)?t(l):E(l)?e.check({tokenize:tu},t,n)(l):n(l)}}function tu(e,t,n){return C(e,r,"whitespace");function r(i){return i===null?n(i):t(i)}}var nu=64,ru=1e3,Ps=2e3,iu={marks:0},Ms=new WeakMap;function Ze(e){return{...e,name:`counted-${e.name}`,tokenize(t,n,r){let i=Ms.get(this)??0;return Ms.set(this,i+1),i>=ru?r:(iu.marks++,e.tokenize.call(this,t,n,r))}}}function Os(e){return Object.fromEntries(Object.entries(e??{}).map(([t,n])=>[t,[n??[]].flat().map(Ze)]))}for(let e of[dt,X]){let{tokenize:t}=e;e.tokenize=function(n,r,i){return this.now().column>nu?i:t.call(this,n,r,i)}}var qs=Pr({singleTilde:!1}),Bs=[{disable:{null:["attention","autolink","codeText","definition","emailAutolink","htmlFlow","htmlText","labelEnd","labelStartImage","labelStartLink"]}},{text:{42:Ze(De),60:Ze(Lt),91:Ze(qt),93:Ze(Ie),95:Ze(De),96:Ze(Mt)}},{...qs,text:Os(qs.text)},{text:Os({72:Tn(72),87:Tn(87),104:Tn(104),119:Tn(119)})},Or()];function Tn(e){return[Lr().text?.[e]??[]].flat().filter(t=>t.name!=="emailAutolink")}var su={enter:{literalAutolink(e){this.enter({type:"link",title:null,url:"",children:[]},e)},literalAutolinkHttp:Fs,literalAutolinkWww:Fs},exit:{literalAutolink(e){this.exit(e)},literalAutolinkHttp(e){Ds(this,e,"")},literalAutolinkWww(e){Ds(this,e,"http://")}}};function Fs(e){this.config.enter.data.call(this,e)}function Ds(e,t,n){e.config.exit.data.call(e,t);let r=e.stack.at(-1);r?.type==="link"&&(r.url=n+e.sliceSerialize(t))}var Ns={extensions:Bs,mdastExtensions:[su,Ar(),Ir()]},ou={extensions:[...Bs,Mr()],mdastExtensions:[...Ns.mdastExtensions,Cr()]};function Hs(e){return Tr(e,e.split("|",Ps+2).length>Ps+1?Ns:ou)}var js=40;function Us(e){let t=new qr(e);return Hs(e).children.map(n=>({block:t.block(n,0),from:e.lastIndexOf(`
`,(n.position?.start.offset??0)-1)+1}))}var qr=class{constructor(t){this.source=t}source;block(t,n){if(n>js)return{kind:"paragraph",content:Xe(this.#l(t))};switch(t.type){case"paragraph":return{kind:"paragraph",content:this.#n(t,n)};case"heading":return{kind:"heading",level:t.depth,content:this.#n(t,n)};case"blockquote":return{kind:"quote",blocks:t.children.map(r=>this.block(r,n+1))};case"code":return{kind:"code",text:t.value,language:t.lang??""};case"list":return this.#e(t,n);case"table":return this.#r(t,n);case"thematicBreak":return{kind:"rule"}}return{kind:"paragraph",content:Xe(this.#l(t))}}#e(t,n){return{kind:"list",start:t.ordered?t.start??1:void 0,items:t.children.map(i=>this.#t(i,n+1))}}#t(t,n){let[r,...i]=t.children,s=r?.type==="paragraph"?r:void 0;return{...typeof t.checked=="boolean"&&{checked:t.checked},content:s?this.#n(s,n):[],blocks:(s?i:t.children).map(o=>this.block(o,n))}}#r(t,n){let r=t.children.map(i=>i.children.map(s=>this.#n(s,n)));return{kind:"table",align:(t.align??[]).map(i=>i??null),rows:r}}#n(t,n){let r=[];for(let i of t.children)i.type==="link"&&this.#s(i)&&au(r),r.push(...this.#i(i,n+1));return r}#i(t,n){if(n>js)return Xe(this.#l(t));switch(t.type){case"text":return Xe(t.value);case"inlineCode":return[{kind:"code",text:t.value}];case"strong":return[{kind:"strong",content:this.#n(t,n)}];case"emphasis":return[{kind:"emphasis",content:this.#n(t,n)}];case"delete":return[{kind:"deleted",content:this.#n(t,n)}];case"break":return[{kind:"break"}];case"link":return[lu(t.url,this.#n(t,n))??{kind:"text",text:this.#l(t)}]}return Xe(this.#l(t))}#s(t){let n=t.position?.start.offset??0;if(this.source[n]!=="["||this.source[n-1]!=="!")return!1;let r=0;for(;this.source[n-2-r]==="\\";)r++;return r%2===0}#l(t){return this.source.slice(t.position?.start.offset,t.position?.end.offset)}};function Xe(e){return e.split(`
`).flatMap((t,n)=>[...n>0?[{kind:"break"}]:[],...t===""?[]:[{kind:"text",text:t}]])}function au(e){let t=e.at(-1);t?.kind!=="text"||!t.text.endsWith("!")||(e.pop(),t.text.length>1&&e.push({kind:"text",text:t.text.slice(0,-1)}))}function lu(e,t){let n=lr(e);if(n===void 0)return;let r=Vs(t).trim(),i=/^(https?:|www\.)/i.test(r)?lr(r.replace(/^www/i,"https://www")):n,s=r!==""&&i!==void 0&&new URL(i).host===new URL(n).host;return{kind:"link",href:n,content:s?t:[{kind:"text",text:n}]}}function Vs(e){return e.map(t=>"text"in t?t.text:"content"in t?Vs(t.content):" ").join("")}var Fr=4096,Ws=4*Fr,uu=2048,Qs=32,An=class{#e="";#t=0;#r=0;#n;#i=[];#s=[];take(t,n){return t.length<this.#r&&this.#l(),this.#e=t,(n||this.#u())&&this.#h(),[...this.#i,this.#f()]}#l(){this.#t=this.#r=0,this.#n=void 0,this.#i=[],this.#s=[]}#u(){let t=this.#r-this.#t;return this.#n!==void 0||t<=uu||this.#e.length-this.#r>t/16}#h(){let t=Fr;for(;t<Math.min(this.#r-this.#t,Ws);)t*=2;for(;;){if(this.#m(),this.#n||this.#o()){if(!this.#p())return;continue}let n=this.#c(t),r=Us(n),i=this.#t+n.length;if(i===this.#e.length)return this.#a(r,n);if(r.length>1)this.#d(r.slice(0,-1),this.#t+r.at(-1).from);else if(t<Ws){t*=2;continue}else this.#d(r,i);t=Fr}}#m(){let t=/(?:[ \t\r]*\n)*/y;t.lastIndex=this.#t,t.exec(this.#e),this.#t=Math.max(t.lastIndex,this.#t)}#c(t){let n=this.#e.slice(this.#t,this.#t+t);return this.#t+t>=this.#e.length?n:n.slice(0,n.lastIndexOf(`
`)+1||void 0)}#o(){return this.#n=Wi(this.#e,this.#t),this.#n!==void 0}#p(){let t=this.#n,n=t.take(this.#e);return this.#r=this.#e.length,n===void 0?!1:(this.#n=void 0,this.#d([{block:t.block(),from:0}],n),!0)}#d(t,n){for(let{block:r}of t)(this.#i.at(-1)?.length??Qs)>=Qs&&this.#i.push([]),this.#i.push([...this.#i.pop(),r]);this.#s=[],this.#t=this.#r=n}#a(t,n){let r=t.at(-1),i=t.length>1&&!n.includes(`
`,r.from)?2:1,s=this.#t+n.length,o=t.slice(-i);o.length>0&&this.#d(t.slice(0,-i),this.#t+o[0].from),this.#s=o.map(({block:a})=>a),this.#r=s}#f(){if(this.#n)return[this.#n.block()];let t=this.#e.slice(this.#r);return t===""?this.#s:Dr(this.#s,t)}};function Dr(e,t){let n=e.at(-1),[r,i]=[e.slice(0,-1),Xe(t)];switch(n?.kind){case"paragraph":case"heading":return[...r,{...n,content:[...n.content,...i]}];case"quote":return[...r,{...n,blocks:Dr(n.blocks,t)}];case"code":return[...r,{...n,text:n.text+t}];case"list":{let s=n.items.at(-1)??{content:[],blocks:[]},o=s.blocks.length>0?{...s,blocks:Dr(s.blocks,t)}:{...s,content:[...s.content,...i]};return[...r,{...n,items:[...n.items.slice(0,-1),o]}]}}return[...e,{kind:"paragraph",content:i}]}var Ys=new WeakMap;function Ks(e){let t=Ys.get(e)??new An;return Ys.set(e,t),k`${t.take(e.text,!e.open).map(n=>Et([n],()=>n.map(Br)))}`}function Br(e){switch(e.kind){case"paragraph":return k`<p>${e.content.map(Le)}</p>`;case"heading":return k`<p class="heading level-${e.level}">${e.content.map(Le)}</p>`;case"quote":return k`<blockquote>${e.blocks.map(Br)}</blockquote>`;case"code":return k`<pre tabindex="0"><code>${e.text}</code></pre>`;case"rule":return k`<hr />`;case"list":return e.start===void 0?k`<ul>${e.items.map(Js)}</ul>`:k`<ol start=${e.start}>${e.items.map(Js)}</ol>`;case"table":return cu(e.align,e.rows)}}function Js({checked:e,content:t,blocks:n}){return k`<li class=${e===void 0?"":"task"}>${e===void 0?"":e?"☑ ":"☐ "}${t.map(Le)}${n.map(Br)}</li>`}function cu(e,[t=[],...n]){let r=i=>e[i]??"";return k`<div class="table" tabindex="0"><table>
    <thead><tr>${t.map((i,s)=>k`<th scope="col" class=${r(s)}>${i.map(Le)}</th>`)}</tr></thead>
    <tbody>${n.map(i=>k`<tr>${i.map((s,o)=>k`<td class=${r(o)}>${s.map(Le)}</td>`)}</tr>`)}</tbody>
  </table></div>`}function Le(e){switch(e.kind){case"text":return e.text;case"code":return k`<code>${e.text}</code>`;case"strong":return k`<strong>${e.content.map(Le)}</strong>`;case"emphasis":return k`<em>${e.content.map(Le)}</em>`;case"deleted":return k`<del>${e.content.map(Le)}</del>`;case"link":return k`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">${e.content.map(Le)}</a>`;case"break":return k`<br />`}}function Gs({message:e,say:t,question:n}){if(e.role==="user")return du(e,t);let r=new Set(e.parts.flatMap(i=>i.kind==="question"&&!i.question.outcome?[i.question.context.toolCallId]:[]));return k`<div class="message assistant">
    <span class="hidden">${t("assistant")}:</span>
    ${en(e.parts,(i,s)=>i.kind==="text"?`text ${s}`:`${i.kind} ${i.id}`,i=>hu(i.kind==="tool"&&r.has(i.id)?{...i,state:"asking"}:i,t,n))}
  </div>`}function du(e,t){let n=e.parts.map(r=>r.kind==="text"?r.text:"").join(`
`);return k`<div class="message user ${e.status??""}">
    <span class="hidden">${t("you")}:</span>
    <div class="bubble" dir="auto">${n}</div>
    ${e.status==="failed"?k`<span class="unsent">${t("unsent")}</span>`:S}
  </div>`}function hu(e,t,n){switch(e.kind){case"text":return/\S/.test(e.text)?k`<div class="text" dir="auto">${Et([e.text,e.open],()=>Ks(e))}</div>`:S;case"tool":return fu(e,t);case"question":return n(e.question);case"notice":return pu(e.text,e.link,t)}}function pu(e,t,n){let r=t===void 0?void 0:ar(t);return k`<p class="notice" dir="auto">${j.warning}<span>${pe(e)}
    ${r?k` <a href=${r} target="_blank" rel="noopener noreferrer">${n("connectLink")}</a>`:S}</span></p>`}var mu={writing:"toolWriting",running:"toolRunning",asking:"toolAsking",done:"toolDone",failed:"toolFailed",denied:"toolDenied"};function fu(e,t){let n=e.state==="writing"||e.state==="running",r=e.state==="done"?j.done:e.state==="failed"||e.state==="denied"?j.no:j.clock;return k`<details class="tool ${e.state}" aria-live="off">
    <summary>
      ${j.tool}<span class="name" dir="auto">${le(e.title||e.name||t("tool"))}</span>
      <span class="state">${n?k`<span class="spinner"></span>`:r}${t(mu[e.state])}</span>
      <span class="chevron">${j.chevron}</span>
    </summary>
    <div class="call">
      ${e.title&&e.title!==e.name?k`<p class="caption"><code>${le(e.name)}</code></p>`:S}
      ${e.input===void 0?S:Nr(t("toolInput"),e.input)}
      ${e.output===void 0?S:Nr(t("toolOutput"),e.output)}
      ${e.error===void 0?S:Nr(t("toolError"),e.error)}
    </div>
  </details>`}var Nr=(e,t)=>k`<p class="caption">${e}</p>
    <pre tabindex="0" role="region" aria-label=${e}>${Et([t],()=>Ct(Li(t)))}</pre>`;var En=class{constructor(t,n){this.host=t;this.log=n;t.addController(this)}host;log;atEnd=!0;#e=new ResizeObserver(()=>{this.follow(),this.#l(120)});#t;#r=0;#n;follow(){let t=this.log();t&&(this.#i(t),this.atEnd&&(t.scrollTop=t.scrollHeight))}toEnd(){this.atEnd=!0,this.follow(),this.host.requestUpdate()}reveal(t){let n=this.log();if(!n)return;let r=t.getBoundingClientRect().top-n.getBoundingClientRect().top+n.scrollTop;if(r>=n.scrollHeight-n.clientHeight)return this.toEnd();this.atEnd=!1,n.scrollTop=r-12,this.host.requestUpdate()}sees(t){let n=this.log();if(!n||!t)return!0;let r=n.getBoundingClientRect(),{top:i,bottom:s}=t.getBoundingClientRect();return s>r.top+48&&i<r.bottom-48}hostDisconnected(){clearTimeout(this.#n),this.#e.disconnect(),this.#t?.removeEventListener("scroll",this.#s),this.#t=void 0}#i(t){this.#t!==t&&(this.hostDisconnected(),this.#t=t,t.addEventListener("scroll",this.#s,{passive:!0}),this.#e.observe(t),t.firstElementChild&&this.#e.observe(t.firstElementChild))}#s=()=>{let t=this.log();if(!t)return;let n=this.atEnd;t.scrollHeight-t.scrollTop-t.clientHeight<48?this.atEnd=!0:t.scrollTop<this.#r&&(this.atEnd=!1),this.#r=t.scrollTop,this.#l(n===this.atEnd?120:0)};#l(t){clearTimeout(this.#n),this.#n=setTimeout(()=>this.host.requestUpdate(),t)}};var Hr=(e,t)=>`parley:conversation:${e}:${t??""}`;function Zs(e,t,n){try{let r=sessionStorage.getItem(Hr(e,t));if(r)return{id:r,fresh:!1};let i=n();return sessionStorage.setItem(Hr(e,t),i),{id:i,fresh:!0}}catch{return{id:n(),fresh:!0}}}function Xs(e,t){try{sessionStorage.removeItem(Hr(e,t))}catch{}}var Cn=e=>t=>t.n===1?`1 ${e}`:`${t.n} ${e}s`,eo=Cn("character"),to=Cn("choice"),gu=e=>e<60?Cn("second")({n:e}):Cn("minute")({n:e/60}),no={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:e=>e.n===1?"A question waits for you":`${e.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",deny:"Deny",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:e=>`${gu(Number(e.n))} left to answer ${e.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once.",allowed_always:"You allowed it from now on.",allowed_as:"You chose: {chosen}.",denied:"You denied it.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:e=>`${e.label} must be at least ${eo(e)} long.`,errorMaxLength:e=>`${e.label} must be at most ${eo(e)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:e=>`${e.label} must have at least ${to(e)}.`,errorMaxItems:e=>`${e.label} must have at most ${to(e)}.`};function In(e){return(t,n={})=>{let r=e?.[t]??no[t];return typeof r=="function"?r(n):r.replace(/\{(\w+)\}/g,(i,s)=>s in n?String(n[s]):i)}}var zn=Re`
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
`,Ln=Re`
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
`;var bu=new URL(".",import.meta.url).href,Rn=class extends be{static styles=[zn,Ln,Fi];static properties={base:{},agent:{},conversation:{},heading:{},theme:{reflect:!0},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},suggestions:{converter:{fromAttribute:ku}}};#e;#t=new lt;#r=new an(()=>({base:this.#c(),token:this.token,getToken:this.getToken}),this.#t);#n="";#i=new Set;#s="";#l;#u=new En(this,()=>this.renderRoot.querySelector(".log"));get conversationId(){return this.#e?.id}send(t){t.trim()===""||!this.#e||(this.#e.send(t.trim()),this.#u.toEnd())}stop(){this.#e?.stop()}newConversation(){Xs(this.#c(),this.agent),this.#m(),this.#p?.focus()}focus(t){this.#p?.focus(t)}firstUpdated(){this.autofocus&&this.focus({preventScroll:!0})}connectedCallback(){super.connectedCallback(),window.addEventListener("online",this.#h),document.addEventListener("visibilitychange",this.#h),this.requestUpdate()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("online",this.#h),document.removeEventListener("visibilitychange",this.#h),this.#e?.close(),this.#e=void 0}#h=()=>{this.#e?.lost&&!document.hidden&&this.#e.resume()};shouldUpdate(){return this.isConnected}async scheduleUpdate(){return this.#e&&this.#v()&&await xu(),super.scheduleUpdate()}willUpdate(t){(!this.#e||t.has("base")||t.has("agent")||t.has("conversation"))&&this.#m(),this.#d()}#m(){this.#e?.close();let{id:t,fresh:n}=this.conversation?{id:this.conversation,fresh:!1}:Zs(this.#c(),this.agent,()=>sr("conv"));this.#e=new hn(t,this.#r,this.agent,()=>this.requestUpdate()),this.#i.clear(),n||this.#e.open(),this.dispatchEvent(new CustomEvent("parley-conversation",{bubbles:!0,composed:!0,detail:{id:t}})),this.requestUpdate()}#c(){return new URL(this.base??bu,document.baseURI).href.replace(/\/+$/,"")}get#o(){return In(this.strings)}get#p(){return this.renderRoot.querySelector(".composer textarea")}#d(){let{questions:t,failure:n}=this.#e;for(let{elicitationId:r,message:i,context:s}of t)this.#i.has(r)||(this.#i.add(r),this.#s=this.#o("announce",{service:sn(s.service||this.#o("someone")),message:pe(i)}),this.updateComplete.then(()=>this.#a(r)));if(n&&n!==this.#l){let r={kind:n.kind,status:n.status,message:this.#E(n)};this.dispatchEvent(new CustomEvent("parley-error",{bubbles:!0,composed:!0,detail:r}))}this.#l=n}async#a(t){let n=this.#f(t);if(await n?.updateComplete,!n)return;this.#u.reveal(n),this.shadowRoot?.activeElement===this.#p&&this.#n===""&&!matchMedia("(pointer: coarse)").matches&&n.focus({preventScroll:!0})}#f(t){return[...this.renderRoot.querySelectorAll("parley-question")].find(n=>n.dataset.id===t)}#g(t){let n=t&&this.#f(t.elicitationId);if(!n)return this.#u.toEnd();this.#u.reveal(n),n.focus({preventScroll:!0})}render(){let{messages:t,loading:n}=this.#e,r=this.#o;return k`
      ${this.#w()}
      <div class="log" part="log" role="log" tabindex="0" aria-label=${r("log")} aria-busy=${this.#v()}>
        <div class="column" @parley-answered=${this.#$} @parley-hint=${this.#S} @parley-refused=${this.#S}>
          ${t.length>0||n?S:this.#k()}
          ${en(t,i=>i.id,i=>Gs({message:i,say:r,question:this.#b}))} ${this.#C()}
        </div>
      </div>
      <div class="foot" part="foot">${this.#I()} ${this.#T()} ${this.#L()}</div>
      <div class="hidden announcer" role="status">${this.#s}</div>
    `}#k(){let t=n=>k`<button type="button" dir="auto" @click=${()=>this.send(n)}>${le(n)}</button>`;return k`<div class="empty">
      <slot name="empty">${this.#o("empty")}</slot>
      ${this.suggestions?.length?k`<div class="suggestions">${this.suggestions.map(t)}</div>`:S}
    </div>`}#w(){let t=!this.conversation&&(this.heading||this.#e.messages.length>0);if(!this.heading&&!t)return S;let n=this.#o("newConversation");return k`<div class="head" part="head">
      ${this.heading?k`<h2 dir="auto">${this.heading}</h2>`:k`<span class="heading"></span>`}
      ${t?k`<button type="button" class="quiet round" title=${n} aria-label=${n} @click=${()=>this.newConversation()}>${j.plus}</button>`:S}
    </div>`}#b=t=>k`<parley-question data-id=${t.elicitationId} exportparts="card" aria-live="off" lang=${this.lang||S}
      .request=${t} .endpoint=${this.#c()+"/run/api/elicitation-responses"} .base=${this.#c()}
      .conversation=${this.#e.id} .token=${this.token} .getToken=${this.getToken}
      .strings=${this.strings} .clock=${this.#t} .theme=${this.theme}></parley-question>`;#$=t=>{let{elicitationId:n,action:r}=t.detail;this.#e.settle(n,{action:r,via:"chat"}),this.#S()};#S=()=>{let t=this.#e;!t.stopped&&(!t.busy||t.lost)&&t.resume()};#v(){let t=this.#e.messages.at(-1)?.parts.at(-1);return this.#e.busy&&t?.kind==="text"&&t.open}#C(){let{loading:t,busy:n,lost:r,stopped:i,questions:s}=this.#e,o=this.#o;return i?k`<p class="quietly">${o("stopped")}
        <button type="button" class="link" @click=${()=>this.#e.resume()}>${o("resume")}</button></p>`:t||n&&!r&&s.length===0&&!this.#v()?k`<p class="thinking"><span class="dots"><i></i><i></i><i></i></span>${o(t?"loading":"thinking")}</p>`:S}#I(){let{questions:t}=this.#e,n=t.filter(r=>!this.#u.sees(this.#f(r.elicitationId)));if(n.length>0){let r=this.#o("waiting",{n:n.length});return k`<button type="button" class="jump asks" @click=${()=>this.#g(n[0])}>${r}</button>`}return this.#u.atEnd||t.length>0?S:k`<button type="button" class="jump" @click=${()=>this.#g(void 0)}>${j.down}${this.#o("latest")}</button>`}#T(){let t=this.#e,n=this.#o;return t.failure?k`<div class="banner failure" role="alert">${j.warning}<span>${this.#E(t.failure)}</span>
        <button type="button" @click=${()=>t.failure?.again()}>${n("retry")}</button></div>`:t.lost?k`<div class="banner" role="status">${j.warning}<span>${this.#A(t)}</span>
      <button type="button" @click=${()=>t.resume()}>${n("tryNow")}</button></div>`:S}#A({trouble:t,loading:n}){return t?this.#o("troubled",{said:ke(t)}):n&&this.#x()?this.#_():this.#o("lost")}#x(){return new URL(this.#c()||"/",location.href).origin!==location.origin}#_(){return this.#x()?this.#o("unreachableFrom",{origin:location.origin}):this.#o("unreachable")}#E({kind:t,status:n,said:r}){return t==="unreachable"?this.#_():n===401?r&&(this.token||this.getToken)?ke(r):this.#o("signedOut"):r?ke(r):n===403?this.#o("forbidden"):this.#o(n===429?"tooMany":"failed")}#y(){let{busy:t,questions:n}=this.#e;return this.#n.trim()!==""&&(!t||n.length>0)}#L(){let t=this.#o,n=r=>{this.#n=r.target.value,this.requestUpdate()};return k`<form class="composer" part="composer" @submit=${this.#z}>
      <textarea rows=${Math.min(8,this.#n.split(`
`).length)} dir="auto" aria-label=${t("placeholder")} placeholder=${t("placeholder")} enterkeyhint="send"
        .value=${Te(this.#n)} @input=${n} @keydown=${this.#R}></textarea>
      ${this.#e.busy?k`<button type="button" class="round" title=${t("stop")} aria-label=${t("stop")}
            @click=${()=>this.stop()}>${j.stop}</button>`:S}
      <button class="round primary" title=${t("send")} aria-label=${t("send")} aria-disabled=${!this.#y()}>${j.send}</button>
    </form>`}#R=t=>{t.key==="Enter"&&!t.shiftKey&&!t.isComposing&&this.#z(t)};#z=t=>{if(t.preventDefault(),!this.#y())return;let n=this.#n;this.#n="",this.send(n)};updated(){this.#u.follow()}};function ku(e){let t=Ae(e??"");return Array.isArray(t)?t.filter(n=>typeof n=="string"&&n.trim()!==""):[]}function xu(){return Promise.race([new Promise(e=>requestAnimationFrame(e)),new Promise(e=>setTimeout(e,100))])}function ro(e){return Object.fromEntries(e.map(t=>[t.name,yu(t)]))}function yu(e){let t=e.default;switch(e.kind){case"boolean":return typeof t=="boolean"?t:e.required?void 0:!1;case"choices":return Array.isArray(t)?e.options.map(n=>n.value).filter(n=>t.includes(n)):[];case"choice":return e.options.find(n=>n.value===String(t))?.value;case"number":case"integer":return typeof t=="number"?String(t):""}return typeof t!="string"?"":e.format==="date-time"?zu(t):t}function jr(e,t,n){let r={content:Object.create(null),errors:Object.create(null)};for(let i of e){let{value:s,error:o}=wu(i,t[i.name],n);o!==void 0?r.errors[i.name]=o:s!==void 0&&(r.content[i.name]=s)}return r}function Pn(e){let t=e.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(t)?`“${t}”`:t}function wu(e,t,n){let r={error:n("errorRequired",{label:Pn(e.label)})};switch(e.kind){case"boolean":return t===void 0?e.required?r:{}:{value:t};case"choices":return vu(e,t??[],n);case"choice":return t===void 0?e.required||e.default!==void 0?r:{}:{value:t}}let i=typeof t=="string"?t:"",s=e.kind==="string"&&e.format===void 0;return(s&&!e.required?i==="":i.trim()==="")?e.required?r:e.default===void 0?{}:e.kind==="string"?{value:""}:r:e.kind==="string"?$u(e,s?i:i.trim(),n):Au(e,i.trim(),n)}function vu(e,t,n){let{minItems:r,maxItems:i}=e,s=Pn(e.label);return t.length===0&&!e.required&&e.default===void 0?{}:r!==void 0&&t.length<r?{error:n("errorMinItems",{label:s,n:r})}:i!==void 0&&t.length>i?{error:n("errorMaxItems",{label:s,n:i})}:{value:t}}function $u(e,t,n){let{minLength:r,maxLength:i}=e,s=Pn(e.label),o=[...t].length;if(r!==void 0&&o<r)return{error:n("errorMinLength",{label:s,n:r})};if(i!==void 0&&o>i)return{error:n("errorMaxLength",{label:s,n:i})};if(e.pattern!==void 0&&!Su(e.pattern,t))return{error:n("errorPattern",{label:s})};switch(e.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(t)?{value:t}:{error:n("errorEmail",{label:s})};case"uri":return _u(t)?{value:t}:{error:n("errorUri",{label:s})};case"date":return Tu(t)?{value:t}:{error:n("errorDate",{label:s})};case"date-time":{let a=Iu(t);return a?{value:a}:{error:n("errorDateTime",{label:s})}}}return{value:t}}function Su(e,t){try{return new RegExp(e,"u").test(t)}catch{return!0}}function _u(e){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(e)&&URL.canParse(e)}function Tu(e){let t=new Date(`${e}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(e)&&!Number.isNaN(t.valueOf())&&t.toISOString().startsWith(e)}function Au(e,t,n){let{minimum:r,maximum:i}=e,s=Pn(e.label),o=Eu(t);return o===void 0?{error:n(e.kind==="integer"?"errorInteger":"errorNumber",{label:s})}:e.kind==="integer"&&!Number.isInteger(o)?{error:n("errorInteger",{label:s})}:Cu(t)?r!==void 0&&o<r?{error:n("errorMinimum",{label:s,n:r})}:i!==void 0&&o>i?{error:n("errorMaximum",{label:s,n:i})}:{value:o}:{error:n("errorDigits",{label:s})}}function Eu(e){let t=e.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(t))return;let n=Number(t);return Number.isFinite(n)?n:void 0}function Cu(e){return e.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(e))&&/^[-+]?\d+$/.test(e)}function Iu(e){let t=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(e),n=new Date(e);if(!(!t||Number.isNaN(n.valueOf())))return`${t[1]}${t[2]??":00"}${Ur(n)||"Z"}`}function zu(e){let t=new Date(e);return Number.isNaN(t.valueOf())?"":new Date(t.valueOf()-t.getTimezoneOffset()*6e4).toISOString().slice(0,t.getUTCSeconds()||t.getUTCMilliseconds()?19:16)}function Ur(e){let t=-e.getTimezoneOffset();if(t===0)return"";let n=r=>String(Math.floor(r)).padStart(2,"0");return`${t<0?"-":"+"}${n(Math.abs(t)/60)}:${n(Math.abs(t)%60)}`}function oo(e){let t=W(e);if(!t)return;let n=new Set(me(t.required)),r=[];for(let[i,s]of Object.entries(W(t.properties)??{})){let o=W(s),a=o&&Lu(o);if(!o||!a)return;r.push(Ru(i,a,o,n.has(i)))}return r}function Lu(e){switch(e.type){case"string":case"number":case"integer":return Mn(e).length>0?"choice":e.type;case"boolean":return"boolean";case"array":return Mn(W(e.items)??{}).length>0?"choices":void 0}}function Ru(e,t,n,r){return{name:e,kind:t,required:r,label:pe(A(n.title)||e),description:pe(A(n.description)??"")||void 0,format:Pu(n.format),minLength:Dt(n.minLength),maxLength:Dt(n.maxLength),pattern:A(n.pattern),minimum:io(n.minimum),maximum:io(n.maximum),options:Mn(t==="choices"?W(n.items)??{}:n),minItems:Dt(n.minItems),maxItems:Dt(n.maxItems),default:n.default}}function Pu(e){return e==="email"||e==="uri"||e==="date"||e==="date-time"?e:void 0}function Dt(e){return typeof e=="number"?e:void 0}function io(e){let t=Dt(e);return t!==void 0&&Math.abs(t)===Number.MAX_SAFE_INTEGER?void 0:t}function so(e){return typeof e=="number"?String(e):A(e)}function Mn(e){let t=me(e.oneOf??e.anyOf);if(t.length>0)return t.flatMap(r=>{let i=so(W(r)?.const);return i===void 0?[]:[{value:i,label:pe(A(W(r)?.title)||i)}]});let n=me(e.enumNames);return me(e.enum).flatMap((r,i)=>{let s=so(r);return s===void 0?[]:[{value:s,label:pe(A(n[i])||s)}]})}function Vr(e){return e.kind==="boolean"&&e.required&&e.default===void 0}var lo=7;function Qr(e){let{field:t}=e;return t.kind==="boolean"&&!Vr(t)?Nu(e):t.kind==="boolean"?ao(e,[{value:"true",label:e.say("yes")},{value:"false",label:e.say("no")}]):t.kind==="choices"?Bu(e):t.kind==="choice"&&t.options.length<=lo?ao(e,t.options):k`<div class=${On(e)}>
    <label for=${e.id} dir="auto">${t.label}${Yr(e)}</label>
    ${qn(e)} ${t.kind==="choice"?Du(e):Ou(e)}
  </div>`}function uo(e){let{id:t,field:n}=e;return n.kind==="choices"||Vr(n)||n.kind==="choice"&&n.options.length<=lo?`${t}-0`:t}var On=e=>e.error===void 0?"field":"field wrong",Yr=e=>Bt(e.field)?k` <span class="required">${e.say("required")}</span>`:S;function Bt(e){return e.required&&(e.kind!=="choices"||(e.minItems??0)>0)}function qn(e){let{id:t,field:n,error:r,say:i}=e,s=co(n,i);return k`
    ${n.description?k`<p class="hint" id="${t}-about" dir="auto">${n.description}</p>`:S}
    ${s?k`<p class="hint" id="${t}-hint">${s}</p>`:S}
    ${r===void 0?S:k`<p class="error" id="${t}-error"><span class="hidden">${i("error")} </span>${r}</p>`}
  `}function mt(e){let t=[];return e.field.description&&t.push(`${e.id}-about`),co(e.field,e.say)&&t.push(`${e.id}-hint`),e.error!==void 0&&t.push(`${e.id}-error`),t.length>0?t.join(" "):S}function co(e,t){switch(e.kind){case"number":case"integer":return Wr(e.minimum,e.maximum,t);case"choices":{let n=Wr(e.minItems||void 0,e.maxItems,t);return n&&t("hintChoices",{range:Mu(n)})}case"string":{if(e.format==="date-time")return t("localTime",{offset:Ur(new Date)});let n=Wr(e.minLength!==void 0&&e.minLength>1?e.minLength:void 0,e.maxLength,t);return n&&t("hintLength",{range:n})}}return""}function Wr(e,t,n){return e!==void 0&&e===t?n("exactly",{low:e}):e!==void 0&&t!==void 0?n("from",{low:e,high:t}):e!==void 0?n("atLeast",{low:e}):t===void 0?"":n("atMost",{high:t})}var Mu=e=>e.charAt(0).toLowerCase()+e.slice(1);function Ou(e){let{id:t,field:n,entry:r,enter:i}=e,s=typeof r=="string"?r:"",o=c=>i(c.target.value);if(n.kind==="string"&&n.format===void 0&&Fu(n))return k`<textarea id=${t} rows="4" dir="auto" .value=${Te(s)} @input=${o}
      aria-describedby=${mt(e)} aria-required=${Bt(n)} aria-invalid=${e.error!==void 0}></textarea>`;let{type:a,mode:l}=qu(n);return k`<input id=${t} type=${a} inputmode=${l??S} autocomplete="off" dir="auto"
    spellcheck=${l?"false":S} autocapitalize=${l?"off":S} step=${a==="datetime-local"?"any":S}
    .value=${Te(s)} @input=${o}
    aria-describedby=${mt(e)} aria-required=${Bt(n)} aria-invalid=${e.error!==void 0} />`}function qu(e){if(e.kind==="integer")return{type:"text",mode:(e.minimum??-1)<0?"text":"numeric"};if(e.kind==="number")return{type:"text",mode:(e.minimum??-1)<0?"text":"decimal"};switch(e.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function Fu(e){let t=typeof e.default=="string"?e.default:"";return(e.maxLength??0)>200||(e.minLength??0)>100||t.length>200||t.includes(`
`)}function Du(e){let{id:t,field:n,entry:r,say:i,enter:s}=e;return k`<select id=${t} @change=${a=>{let l=a.target.selectedIndex-1;s(n.options[l]?.value)}} aria-describedby=${mt(e)}
    aria-required=${Bt(n)} aria-invalid=${e.error!==void 0}>
    <option value="" .selected=${r===void 0}>${i("choose")}</option>
    ${n.options.map(a=>k`<option .selected=${a.value===r}>${Jr(a,i)}</option>`)}
  </select>`}var Jr=(e,t)=>e.label.trim()===""?t("emptyOption"):e.label;function ao(e,t){let{id:n,field:r,entry:i,say:s,enter:o}=e,a=c=>r.kind==="boolean"?c==="true":c,l=!r.required&&r.default===void 0;return k`<div class=${On(e)} role="radiogroup" aria-labelledby="${n}-label" aria-required=${Bt(r)}
    aria-invalid=${e.error!==void 0} aria-describedby=${mt(e)}>
    <div class="legend" id="${n}-label" dir="auto">${r.label}${Yr(e)}</div>
    ${qn(e)}
    ${t.map((c,u)=>k`<label class="option">
        <input type="radio" id="${n}-${u}" name=${n} .checked=${Te(i===a(c.value))} @change=${()=>o(a(c.value))} />
        <span dir="auto">${Jr(c,s)}</span>
      </label>`)}
    ${l?k`<label class="option">
          <input type="radio" name=${n} .checked=${Te(i===void 0)} @change=${()=>o(void 0)} />
          <span>${s("noAnswer")}</span>
        </label>`:S}
  </div>`}function Bu(e){let{id:t,field:n,say:r,enter:i}=e,s=Array.isArray(e.entry)?e.entry:[],o=(a,l)=>i(n.options.map(c=>c.value).filter(c=>c===a?l:s.includes(c)));return k`<div class=${On(e)} role="group" aria-labelledby="${t}-label" aria-describedby=${mt(e)}>
    <div class="legend" id="${t}-label" dir="auto">${n.label}${Yr(e)}</div>
    ${qn(e)}
    ${n.options.map((a,l)=>k`<label class="option">
        <input type="checkbox" id="${t}-${l}" .checked=${Te(s.includes(a.value))} aria-invalid=${e.error!==void 0}
          @change=${c=>o(a.value,c.target.checked)} />
        <span dir="auto">${Jr(a,r)}</span>
      </label>`)}
  </div>`}function Nu(e){let{id:t,field:n,entry:r,enter:i}=e;return k`<div class=${On(e)}>
    <label class="option">
      <input type="checkbox" id=${t} .checked=${Te(r===!0)} aria-describedby=${mt(e)} aria-invalid=${e.error!==void 0}
        @change=${s=>i(s.target.checked)} />
      <span class="strong" dir="auto">${n.label}</span>
    </label>
    ${qn(e)}
  </div>`}function po(e,t){let{question:n,service:r,say:i}=e;return k`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${e.kind==="unsupported"?j.form:j[e.kind]}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${mo(e)}>${Kr(e)}</div>
      ${t}
    </header>
    <div class="body">
      ${n.message.trim()===""?S:k`<div class="message">
            ${Fn(n)?S:k`<span class="from isolate" dir=${er(i("says",{service:""}))}>${i("says",{service:r})}</span>`}
            ${Hu(n)}
          </div>`}
      ${ju(e)}
      ${n.context.account?k`<p class="account">${i("account")} <bdi>${le(n.context.account)}</bdi></p>`:S}
    </div>
  </div>`}var Fn=({context:e})=>e.trigger==="tool_approval"&&e.server!==void 0;function Hu(e){let{message:t,context:n}=e;if(n.trigger!=="tool_approval")return k`<div class="words" dir="auto">${pe(t)}</div>`;let r=Ct(ke(zi(t)));return Fn(e)?k`<div class="words exact whole" dir="ltr" tabindex="0" role="region" aria-labelledby="title">${r}</div>`:k`<div class="words exact" dir="ltr">${r}</div>`}var mo=e=>er(Kr({...e,service:""}));function Kr(e){let{kind:t,question:n,service:r,say:i}=e;return t==="connect"?i(n.context.trigger==="credential_required"?"connectTitle":"visitTitle",{service:r}):i(n.context.trigger==="tool_approval"?"approvalTitle":"formTitle",{service:r})}function fo(e,t){let n={good:j.done,bad:j.no,neutral:j.clock}[t.tone];return k`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${t.tone}">${n}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${mo(e)}>${Kr(e)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${t.sentence}</span>
      </div>
    </header>
  </div>`}var et=e=>e===void 0?S:k`<p class="problem">${j.warning}<span>${e}</span></p>`;function ju(e){switch(e.kind){case"connect":return Uu(e);case"approval":return k`${Fn(e.question)?S:ho(e)} ${Wu(e)}`;case"form":return k`${e.question.context.trigger==="tool_approval"&&!Fn(e.question)?ho(e):S} ${Ju(e)}`;case"unsupported":return k`<p>${e.say("unsupported")} <a href=${e.hosted} target="_blank" rel="noopener">${e.say("hosted")}</a></p>
        ${et(e.problem)}
        <div class="buttons">${Dn(e,"decline")}</div>`}}function Uu(e){let{address:t,say:n}=e;if(!t)return k`${et(n("unsafe"))} ${et(e.problem)}
      <div class="buttons">${Dn(e,"dismiss")}</div>`;let r=n(e.question.context.trigger==="credential_required"?"connect":"visit");return k`
    <dl>
      <div>
        <dt>${n("address")}</dt>
        <dd><code class="address">${t.before}<strong>${t.trust}</strong>${t.after}</code></dd>
      </div>
    </dl>
    ${t.insecure?k`<p class="warn">${j.warning}<span>${n("insecure")}</span></p>`:S} ${Vu(e,t)} ${et(e.problem)}
    <div class="buttons">
      ${t.foreign?k`<a class="button primary" id="go" href=${t.href} target="_blank" rel="noopener noreferrer"
            @click=${e.open}>${r}</a>`:k`<button type="button" class="primary" id="go" @click=${e.open}>
            ${e.phase==="opened"?n("openAgain"):r}
          </button>`}
      ${Dn(e,"dismiss")}
    </div>
  `}function Vu(e,t){let{say:n,phase:r}=e,i=k`<a href=${t.href}>${n("sameWindow")}</a>`;switch(r){case"opened":return k`<p class="status">
        ${j.clock}<span>${n(t.foreign?"openedTab":"opened")} ${t.foreign?S:i}</span>
      </p>`;case"blocked":return et(k`${n("blocked")} ${i}`);case"confirming":return k`<p class="status">${j.clock}<span>${n("confirming")}</span></p>`}return S}function ho(e){let{context:t}=e.question,{say:n}=e,r=on(t.arguments??""),i=r.split(`
`).length;return k`<dl>
    ${t.tool===void 0?S:k`<div>
          <dt>${n("toolLabel")}</dt>
          <dd><code><bdi>${le(t.tool)}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${i>8?n("argumentLines",{n:i}):n("arguments")}</dt>
      <dd>
        ${r===""?n("noArguments"):k`<pre class="arguments" tabindex="0" role="region" aria-labelledby="arguments">${Ct(r)}</pre>`}
      </dd>
    </div>
  </dl>`}function Wu(e){let{say:t}=e;return k`${et(e.problem)}<div class="buttons">
    ${e.fields[0].options.map(({value:n,label:r})=>k`<button type="button" class=${n==="allow_once"?"primary":""} data-decision=${n}
        aria-disabled=${e.phase==="sending"} @click=${()=>e.decide(n)}>
        ${r===n&&Yu(n)?t(n):le(r)}
      </button>`)}
  </div>
  ${Qu(e)}`}function Qu(e){let{fields:t,entries:n,errors:r,say:i}=e;return t.length<2?S:k`<details class="narrow">
    <summary>${i("narrow")}</summary>
    <div class="form">
      ${t.slice(1).map((s,o)=>Qr({id:`field-${o+1}`,field:s,entry:n[s.name],error:r[s.name],say:i,enter:a=>e.enter(s.name,a)}))}
    </div>
  </details>`}function Yu(e){return e==="allow_once"||e==="always_allow"||e==="deny"}function Ju(e){let{fields:t,entries:n,errors:r,say:i}=e;return k`<form class="form" novalidate @submit=${e.submit}>
    ${t.map((s,o)=>Qr({id:`field-${o}`,field:s,entry:n[s.name],error:r[s.name],say:i,enter:a=>e.enter(s.name,a)}))}
    ${et(e.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${e.phase==="sending"}>${i(e.phase==="sending"?"sending":"submit")}</button>
      ${Dn(e,"decline")}
    </div>
  </form>`}function Dn(e,t){return k`<button type="button" class="quiet" id="decline" aria-disabled=${e.phase==="sending"} @click=${e.decline}>
    ${e.say(t)}
  </button>`}var Bn=class{constructor(t,n,r){this.host=t;this.say=n;this.over=r;t.addController(this)}host;say;over;left;#e=Number.NaN;#t;#r;#n=!1;start(t,n){this.#e=Date.parse(t??""),this.#t=n;let r=this.#e-n.now();this.left=r>0?r:void 0,this.#i()}stop(){this.left=void 0,this.#i()}hostConnected(){this.#n=!0,this.#i()}hostDisconnected(){this.#n=!1,this.#i()}#i(){clearInterval(this.#r),this.#n&&this.left!==void 0&&(this.#r=setInterval(()=>this.#s(),1e3))}#s(){let t=this.left??0;this.left=Math.max(0,this.#e-this.#t.now());let n=Ni(t,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function go(e,t,n,r){let i=Gu(t,n,r),s=e.context.trigger==="credential_required";switch(t.action){case"accept":return n.answered&&n.decision!==void 0?Ku(n.decision,n.chosen,r):s?{tone:"good",sentence:r("connected",{place:i})}:{tone:"good",sentence:r(e.mode==="url"?"visited":"answered",{place:i})};case"decline":return{tone:"bad",sentence:r(s?"notConnected":"declined",{place:i})};case"expire":return{tone:"neutral",sentence:r("expired")}}return t.by?{tone:"neutral",sentence:r("cancelled",{place:i})}:{tone:"neutral",sentence:r(t.reason==="superseded"?"superseded":"withdrawn")}}function Ku(e,t,n){switch(e){case"allow_once":return{tone:"good",sentence:n("allowed_once")};case"always_allow":return{tone:"good",sentence:t?n("allowed_as",{chosen:t}):n("allowed_always")};case"deny":return{tone:"bad",sentence:n("denied")}}return{tone:"good",sentence:n("answered",{place:""})}}function Gu(e,t,n){if(t.answered)return"";switch(e.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return t.watched?n("elsewhere"):""}return n("elsewhere")}function bo(e){let t=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),r=Math.round(window.screenX+(window.outerWidth-t)/2),i=Math.round(window.screenY+(window.outerHeight-n)/2),s=window.open(e,"parley-connect",`popup,width=${t},height=${n},left=${r},top=${i}`);return!s||s.closed?!1:(s.focus(),!0)}var ko=Re`
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
    .arguments,
    .words.whole {
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
`;var Zu=6e4,Nn=class extends be{static styles=[zn,Ln,ko];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#t;#r={};#n=Object.create(null);#i;#s="ready";#l;#u={answered:!1,watched:!1};#h="";#m;#c=new Bn(this,t=>this.#h=this.#a("secondsLeft",{n:t,service:this.#f()}),()=>this.#d({action:"expire"}));constructor(){super(),this.clock=new lt}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#l}focus(t){this.renderRoot.querySelector("#outcome, #title")?.focus(t)}refuse(t,n=[]){this.#_("ready"),this.#i=[t,...this.#A(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#v)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#v)}willUpdate(t){t.has("request")&&this.#o(Tt(this.request))}#o(t){let n=t?.elicitationId!==this.#e?.elicitationId;this.#e=t,n&&(this.#t=t?.mode==="form"?oo(t.requestedSchema):void 0,this.#r=ro(this.#t??[]),this.#n=Object.create(null),this.#i=this.#l=void 0,this.#s="ready",this.#u={answered:!1,watched:!1},this.#c.start(t?.expiresAt,this.clock)),this.pending?this.#u.watched=!0:this.#p()}#p(){this.#c.stop(),this.shadowRoot?.activeElement&&(this.#m="outcome")}#d(t){this.#l=t,this.#p(),this.requestUpdate()}get#a(){return In(this.strings)}#f(){return sn(this.#e?.context.service?.trim()||this.#a("someone"))}#g(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#k(){let t=this.#e;if(t.mode==="url")return"connect";if(!this.#t)return"unsupported";let[n,...r]=this.#t;return t.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!r.some(s=>s.required||s.kind!=="choice")?"approval":"form"}render(){if(!this.#e)return S;let t=this.#b(this.#e),n=this.#w();return k`${n?fo(t,n):po(t,this.#$())}
      <div class="hidden" role="status">${n&&this.#u.watched?n.sentence:this.#h}</div>
      <div class="hidden" role="alert">${n?S:this.#i}</div>`}#w(){let t=this.#e.outcome??this.#l;return t==="elsewhere"?{tone:"neutral",sentence:this.#a("answerSettled")}:t&&go(this.#e,t,this.#u,this.#a)}#b(t){let n=this.#g();return{kind:this.#k(),question:t,service:this.#f(),phase:this.#s,problem:this.#i,address:t.mode==="url"?or(t.url,n,t.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(t.elicitationId)}`,new URL("/",n)).href,fields:this.#t??[],entries:this.#r,errors:this.#n,say:this.#a,open:this.#S,submit:this.#C,decline:()=>{this.#x("decline")},decide:r=>this.#I(r),enter:(r,i)=>{this.#r={...this.#r,[r]:i},delete this.#n[r],this.requestUpdate()}}}#$(){let{left:t}=this.#c;if(t===void 0)return S;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return k`<span class="timer ${t<=Zu?"soon":""}" role="timer" aria-live="off"
      title=${this.#a("expiresAt",{time:n})}>${j.clock}${this.#a("expiresIn",{time:Bi(t)})}</span>`}#S=t=>{let{url:n,context:r}=this.#e,i=or(n,this.#g());if(!i)return t.preventDefault();this.#i=void 0,this.#s=i.foreign||bo(i.href)?"opened":"blocked",this.requestUpdate(),i.foreign&&r.trigger==="mcp_elicitation"&&r.settledBy!=="page"&&this.#x("accept")};#v=t=>{let n=t.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||t.origin===new URL(this.#g()).origin&&(this.#s="confirming",this.requestUpdate(),this.#y("parley-hint",{elicitationId:n.elicitationId}))};#C=t=>{t.preventDefault();let{content:n,errors:r}=jr(this.#t??[],this.#r,this.#a);this.#n=r,Object.keys(r).length>0?this.#T():this.#x("accept",n)};#I(t){let[n,...r]=this.#t??[],{content:i}=jr(r,this.#r,this.#a),s=t==="always_allow";if(t==="allow_once"&&Object.keys(i).length>0){let l=n?.options.find(c=>c.value==="always_allow")?.label??this.#a("always_allow");return this.#i=this.#a("limitsUnused",{always:le(l)}),this.requestUpdate()}let a=[{field:n,value:t},...s?r.map(l=>({field:l,value:i[l.name]})):[]].flatMap(({field:l,value:c})=>l?.options.find(u=>u.value===c&&u.label!==c)?.label??[]);this.#x("accept",{...s&&i,decision:t},a.map(le).join(" · "))}#T(){this.#i=this.#a("answerInvalid");let t=this.#t?.findIndex(n=>n.name in this.#n)??-1;t>=0&&(this.#m=uo({id:`field-${t}`,field:this.#t[t]})),this.requestUpdate()}#A(t){let n=[];for(let{field:r,message:i}of t)this.#t?.some(s=>s.name===r)?this.#n[r]=i:n.push(i);return n}async#x(t,n,r){if(this.#s==="sending"||!this.pending)return;let{elicitationId:i}=this.#e,s={elicitationId:i,action:t,...n&&{content:n}},o=this.#s;if(this.#s="sending",this.#i=void 0,this.#u={answered:!0,watched:!0,decision:this.#k()==="approval"?String(n?.decision):void 0,chosen:r},this.requestUpdate(),!this.#y("parley-answer",s)||!this.endpoint)return;let a=()=>this.#e?.elicitationId===i;try{await Mi(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",s)}catch(l){a()&&this.#E(l,o);return}a()&&this.#d({action:t}),this.#y("parley-answered",s)}#_(t){this.#s=t,this.#u={answered:!1,watched:!0}}#E(t,n){this.#_(n);let r=t instanceof ue?t.status:0;if(t instanceof ue&&r===400){let i=this.#A(t.fields);this.#T(),(i.length>0||t.fields.length===0)&&(this.#i=i.join(" ")||t.said||this.#a("answerFailed"))}else r===409?this.#d("elsewhere"):r===410?this.#d({action:"expire"}):r===401?this.#i=this.#a("answerSignedOut"):r===403||r===404?this.#i=this.#a("answerForbidden"):this.#i=this.#a(r===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#y("parley-refused",{elicitationId:this.#e.elicitationId,status:r})}#y(t,n){return this.dispatchEvent(new CustomEvent(t,{bubbles:!0,composed:!0,cancelable:t==="parley-answer",detail:n}))}updated(){let t=this.#m;this.#m=void 0,t&&this.renderRoot.querySelector(`#${t}`)?.focus()}};customElements.get("parley-question")||customElements.define("parley-question",Nn);customElements.get("parley-chat")||customElements.define("parley-chat",Rn);export{Rn as ParleyChat,Nn as ParleyQuestion,no as english};
/*! @license micromark, mdast-util-from-markdown and their extensions: Copyright (c) Titus Wormer. SPDX-License-Identifier: MIT */
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
